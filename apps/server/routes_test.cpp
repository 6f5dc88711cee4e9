#include "server/routes.hpp"

#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace vernier::server {
namespace {

std::string filled(std::string_view pattern) {
  std::string path;
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] != '{') {
      path += pattern[at++];
      continue;
    }
    path += "x";
    at = pattern.find('}', at) + 1;
  }
  return path;
}

TEST(Routes, EachIsFoundByItsOwnAddress) {
  for (const Route& route : routes()) {
    const Found found = route_of(route.method, filled(route.pattern));
    ASSERT_TRUE(found.matched) << route.pattern;
    EXPECT_EQ(found.matched->route->name, route.name);
  }
}

TEST(Routes, EachSaysWhoMay) {
  const std::set<std::string_view> open = {"healthz",    "readyz", "openapi",        "begin-session",
                                           "use-ticket", "public", "public-document"};
  std::set<std::string_view> names;
  for (const Route& route : routes()) {
    EXPECT_TRUE(names.insert(route.name).second) << route.name;
    if (route.roles == nobody_asked) {
      EXPECT_TRUE(open.contains(route.name)) << route.name;
      continue;
    }
    EXPECT_TRUE(route.roles == readers || route.roles == analysts || route.roles == stewards) << route.name;
    EXPECT_NE(route.roles & stewards, 0) << route.name;
  }
}

TEST(Routes, WhatWritesOrSpendsIsForNoReader) {
  for (const Route& route : routes()) {
    if (route.by == By::release || route.method == "PUT")
      EXPECT_EQ(route.roles & roles_of(Role::reader), 0) << route.name;
    if (route.by == By::release) EXPECT_EQ(route.pace, Pace::release);
  }
}

TEST(Routes, OtherAddressesAndMethodsAreNotThere) {
  for (const char* target : {"/api/v1/nothing", "/api/v1/plan/x", "/api", "/api/v2/plan", "/metrics/x", "/"}) {
    EXPECT_FALSE(route_of("GET", target).matched) << target;
  }
  EXPECT_TRUE(route_of("DELETE", "/api/v1/plan").is_method_wrong);
  EXPECT_EQ(route_of("GET", "/api/v1/releases/k?catalog=a%2Fb&more=1").matched->parameters.at("catalog"), "a/b");
  EXPECT_FALSE(route_of("GET", "/api/v1/releases/k?catalog=a&more=1").matched->parameters.contains("more"));
}

TEST(OpenApi, NamesEveryRouteAndTheTypeOfEveryField) {
  const auto told = nlohmann::json::parse(openapi_json());
  std::size_t count = 0;
  for (const auto& [path, methods] : told["paths"].items()) count += methods.size();
  EXPECT_EQ(count, routes().size());
  for (const auto& [path, methods] : told["paths"].items()) {
    for (const auto& [method, about] : methods.items()) {
      EXPECT_TRUE(about["responses"].is_object());
      if (!about.contains("requestBody")) continue;
      const auto& schema = about["requestBody"]["content"]["application/json"]["schema"];
      for (const auto& [field, type] : schema["properties"].items()) EXPECT_FALSE(type.empty()) << path << field;
    }
  }
}

}  // namespace
}  // namespace vernier::server
