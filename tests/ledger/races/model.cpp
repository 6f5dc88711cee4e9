#include "ledger/races/model.hpp"

#include <algorithm>

namespace vernier::testing {

using namespace ledger;

namespace {

std::string granted(std::int64_t index) { return "granted as " + std::to_string(index); }
std::string unanswered(std::int64_t index) { return "unanswered since " + std::to_string(index); }
std::string settled(std::int64_t index) { return "settled as " + std::to_string(index); }
std::string answered(std::int64_t index, const Documents& documents) {
  std::string text = "answered at " + std::to_string(index);
  for (const Document& one : documents) text += " " + one.name + "=" + one.content;
  return text;
}

std::string told(const Error& error) {
  switch (error.kind) {
    case ErrorKind::invalid:
      return "refused as wrong";
    case ErrorKind::exhausted:
      return "refused as too much";
    default:
      return "failed: " + error.sentence();
  }
}

}  // namespace

// Who has spent more than a share that was cut has nothing left, and may ask for nothing of it.
bool Model::fits_share(const Spend& spend) const {
  if (quarters_.empty()) return true;
  const int quarters = quarters_.at(spend.analyst);
  const auto found = spent_.find(spend.analyst);
  const Cost spent = found == spent_.end() ? Cost{} : found->second;
  const Cost rest{std::max<std::int64_t>(0, budget_.epsilon / 4 * quarters - spent.epsilon),
                  std::max<std::int64_t>(0, budget_.delta / 4 * quarters - spent.delta)};
  return fits(spend.price.total, rest);
}

std::string Model::reserve(const Spend& spend, std::int64_t time) {
  for (const Paid& one : paid_) {
    if (spend.request.empty() || one.spend.request != spend.request) continue;
    if (one.spend.plan != spend.plan || one.spend.analyst != spend.analyst) return "refused as wrong";
    return one.answer ? answered(one.index, *one.answer) : unanswered(one.index);
  }
  if (!quarters_.empty() && !quarters_.contains(spend.analyst)) return "refused as wrong";
  if (!fits(spend.price.total, left_) || !fits_share(spend)) return "refused as too much";
  left_ = left_ - spend.price.total;
  spent_[spend.analyst] = spent_[spend.analyst] + spend.price.total;
  times_.push_back(time);
  paid_.push_back({spend, entries()});
  return granted(entries());
}

std::string Model::settle(const std::string& release, const Documents& documents, std::int64_t time) {
  const auto one =
      std::find_if(paid_.begin(), paid_.end(), [&](const Paid& paid) { return paid.spend.release == release; });
  if (one == paid_.end() || (one->answer && *one->answer != documents)) return "refused as wrong";
  if (one->answer) return "settled before";
  times_.push_back(time);
  one->answer = documents;
  return settled(entries());
}

void Model::open(const Quarters& quarters, std::int64_t time) {
  if (times_.empty()) times_.push_back(time);
  if (quarters == quarters_) return;
  quarters_ = quarters;
  times_.push_back(time);
}

std::string told(const Result<Reservation>& reservation) {
  if (!reservation) return told(reservation.error());
  if (const auto* one = std::get_if<Granted>(&*reservation)) return granted(one->receipt.index);
  if (const auto* one = std::get_if<Unanswered>(&*reservation)) return unanswered(one->receipt.index);
  const auto& one = std::get<Answered>(*reservation);
  return answered(one.receipt.index, one.documents);
}

std::string told(const Result<Receipt>& receipt) { return receipt ? settled(receipt->index) : told(receipt.error()); }

}  // namespace vernier::testing
