#pragma once

#include <list>
#include <utility>  // before Asio, whose 1.74 forgets it

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/ssl/context.hpp>

#include "server/http/addresses.hpp"
#include "server/http/http.hpp"

namespace vernier::server {

// A connection that has not yet said all of what it wants.
class Waiting {
 public:
  Waiting() = default;
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  virtual ~Waiting() = default;
  virtual void cut() = 0;
};

struct Loop::Parts {
  std::size_t connections = 0;  // these three outlive connections, which the context ends
  Addresses addresses;
  std::list<Waiting*> waiting;  // the one that has waited longest first
  boost::asio::io_context context{1};
  boost::asio::ip::tcp::acceptor acceptor{context};
  boost::asio::signal_set signals{context}, hangups{context};
  std::function<void()> on_signal, on_hangup;
  std::optional<boost::asio::ssl::context> tls;
};

}  // namespace vernier::server
