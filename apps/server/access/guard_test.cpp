#include "server/access/guard.hpp"

#include <gtest/gtest.h>

namespace vernier::server {
namespace {

const Names loopback = names_of(8080, {});
const Names proxied = names_of(8080, {"stats.office.test"});

Request request(const std::string& method, const std::string& target, Headers headers = {}) {
  Headers all = {{"host", "127.0.0.1:8080"}};
  if (method == "POST" || method == "PUT") all.emplace_back("content-type", "application/json");
  all.insert(all.end(), headers.begin(), headers.end());
  return {method, target, all, "", "127.0.0.1"};
}

int status_of(const Request& head, const Names& names = loopback) {
  const std::optional<Refusal> no = refusal_of(head, names);
  return no ? no->status : 200;
}

Request from_host(const std::string& host) { return {"GET", "/", {{"host", host}}, "", ""}; }

TEST(Guard, AnswersToItsOwnNamesAlone) {
  for (const char* host : {"127.0.0.1:8080", "localhost:8080", "[::1]:8080"})
    EXPECT_EQ(status_of(from_host(host)), 200);
  for (const char* host : {"",
                           "127.0.0.1",
                           "localhost",
                           "127.0.0.1:8081",
                           "127.0.0.1:80800",
                           "127.0.0.1:8080.",
                           " 127.0.0.1:8080",
                           "evil.test",
                           "evil.test:8080",
                           "127.0.0.1.evil.test:8080",
                           "127.0.0.1:8080.evil.test",
                           "127.0.0.1:8080@evil.test",
                           "user@127.0.0.1:8080",
                           "evil.test#127.0.0.1:8080",
                           "127.0.0.2:8080",
                           "127.1:8080",
                           "2130706433:8080",
                           "0x7f000001:8080",
                           "0177.0.0.1:8080",
                           "0.0.0.0:8080",
                           "[::]:8080",
                           "[::ffff:127.0.0.1]:8080",
                           "[::1%lo]:8080",
                           "::1:8080",
                           "LOCALHOST:8080",
                           "localhost.:8080",
                           "localhost:08080",
                           "localhost:",
                           "localhost: 8080",
                           "stats.office.test",
                           "stats.office.test:8080",
                           "stats.office.test:443",
                           "127.0.0.1:8080,evil.test",
                           "127.0.0.1:8080 evil.test",
                           "http://127.0.0.1:8080",
                           "//127.0.0.1:8080",
                           "127.0.0.1:8080/",
                           "127.0.0.1%3A8080",
                           "xn--127-0-0-1",
                           "*",
                           "[::1]",
                           "127.0.0.1:+8080"}) {
    EXPECT_EQ(status_of(from_host(host)), 421) << host;
  }
  EXPECT_EQ(status_of({"GET", "/", {}, "", ""}), 421);
  EXPECT_EQ(status_of({"GET", "/", {{"host", "127.0.0.1:8080"}, {"host", "127.0.0.1:8080"}}, "", ""}), 421);
  EXPECT_EQ(status_of(from_host("stats.office.test"), proxied), 200);
}

TEST(Guard, WithTlsSpeaksHttpsUnderAllNames) {
  const Names names = names_of(8443, {"stats.office.test"}, "192.0.2.10", true);
  Request asked = {"POST",
                   "/api/v1/plan",
                   {{"host", "stats.office.test:8443"},
                    {"content-type", "application/json"},
                    {"origin", "https://stats.office.test:8443"}},
                   "",
                   ""};
  EXPECT_EQ(status_of(asked, names), 200);
  asked.headers.back().second = "http://stats.office.test:8443";
  EXPECT_EQ(status_of(asked, names), 403);
  EXPECT_EQ(status_of(from_host("192.0.2.10:8443"), names), 200);
}

TEST(Guard, RefusesPagesOfOtherOrigins) {
  for (const char* origin : {"http://evil.test", "null", "", "http://127.0.0.1:8081", "https://127.0.0.1:8080",
                             "http://127.0.0.1:8080.evil.test", "http://127.0.0.1:8080/", "HTTP://127.0.0.1:8080"}) {
    for (const char* method : {"GET", "POST", "PUT", "DELETE"}) {
      EXPECT_EQ(status_of(request(method, "/api/v1/me", {{"origin", origin}})), 403) << origin << method;
    }
  }
  EXPECT_EQ(status_of(request("POST", "/api/v1/plan", {{"origin", "http://localhost:8080"}})), 200);
  for (const char* site : {"cross-site", "same-site", "", "nonsense", "None"}) {
    EXPECT_EQ(status_of(request("GET", "/api/v1/me", {{"sec-fetch-site", site}})), 403) << site;
  }
  for (const char* site : {"same-origin", "none"}) {
    EXPECT_EQ(status_of(request("POST", "/api/v1/plan", {{"sec-fetch-site", site}})), 200);
  }
  EXPECT_EQ(status_of(request("GET", "/", {{"sec-fetch-site", "cross-site"}})), 200);  // a link that somebody follows
}

TEST(Guard, TakesNoFormAndNoOtherMethod) {
  for (const char* type : {"text/plain", "", "application/x-www-form-urlencoded", "application/jsonx"}) {
    const Request head{"POST", "/api/v1/plan", {{"host", "localhost:8080"}, {"content-type", type}}, "", ""};
    EXPECT_EQ(status_of(head), 415) << type;
  }
  const Request charset{"POST",
                        "/api/v1/plan",
                        {{"host", "localhost:8080"}, {"content-type", "application/json; charset=utf-8"}},
                        "",
                        ""};
  EXPECT_EQ(status_of(charset), 200);
  EXPECT_EQ(status_of(request("POST", "/api/v1/plan", {{"content-type", "application/json"}})), 415);  // twice
  for (const char* method : {"OPTIONS", "HEAD", "TRACE", "PATCH", "CONNECT", "get", ""}) {
    EXPECT_EQ(status_of(request(method, "/api/v1/plan")), 405) << method;
  }
}

TEST(Guard, ReadsPlainPathsAlone) {
  EXPECT_EQ(segments_of("/api/v1/catalogs/a%20b?x=%zz"), (std::vector<std::string>{"api", "v1", "catalogs", "a b"}));
  EXPECT_EQ(segments_of("/"), std::vector<std::string>());
  for (const char* target :
       {"", "api", "//x", "/a//b", "/%00", "/%", "/%4", "/%zz", "/a b", "/a\x01", "/\x7f", "http://x/"}) {
    EXPECT_FALSE(segments_of(target)) << target;
  }
  EXPECT_EQ(query_value("/x?a=1&b=%2F&c", "b"), "/");
  EXPECT_EQ(query_value("/x?a=1&b=2", "c"), std::nullopt);
  EXPECT_EQ(query_value("/x?a=%zz", "a"), std::nullopt);
}

TEST(Guard, EveryAnswerForbidsWhatThePageDoesNotNeed) {
  const Response response = with_headers({200, "text/html", "", {{"Cache-Control", "no-cache"}}, {}});
  const auto value = [&](const std::string& name) {
    std::vector<std::string> found;
    for (const auto& [key, text] : response.headers) {
      if (key == name) found.push_back(text);
    }
    return found;
  };
  EXPECT_EQ(value("Cache-Control"), std::vector<std::string>{"no-cache"});
  EXPECT_EQ(value("X-Frame-Options"), std::vector<std::string>{"DENY"});
  EXPECT_EQ(value("Set-Cookie"), std::vector<std::string>());
  ASSERT_EQ(value("Content-Security-Policy").size(), 1U);
  EXPECT_NE(value("Content-Security-Policy")[0].find("default-src 'none'; script-src 'self'"), std::string::npos);
  EXPECT_EQ(value("Content-Security-Policy")[0].find("unsafe"), std::string::npos);
}

}  // namespace
}  // namespace vernier::server
