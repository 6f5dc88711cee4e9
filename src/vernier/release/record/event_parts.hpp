#pragma once

#include <optional>

#include "vernier/accounting/event.hpp"
#include "vernier/plan/description.hpp"

namespace vernier::release {

// What was given away, as a certificate states it: noise by its law and sensitivity, with the rule of private keys
// where it chooses them; a choice by its epsilon alone; discrete Gaussian noise on numbers that move together by its
// rho, or by the scale alone of one Gaussian number that moves by 1 and gives away as much, with the chance delta that
// all is known (table/table.md).
struct EventParts {
  plan::LawName mechanism = plan::LawName::exponential;
  std::optional<double> epsilon = {};
  std::optional<double> delta = {};
  std::optional<double> rho = {};
  std::optional<double> scale = {};
  std::optional<std::int64_t> sensitivity = {};
  std::optional<std::int64_t> threshold = {};
  std::optional<std::int64_t> groups = {};
  privacy::Neighbours neighbours = privacy::Neighbours::add_remove;
  std::int64_t times = 1;
};

EventParts event_parts(const accounting::Event& event);  // of those that plans have
Result<accounting::Event> event_of(const EventParts& parts);
accounting::Event any_event();

}  // namespace vernier::release
