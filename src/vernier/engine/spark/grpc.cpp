#include "vernier/engine/spark/grpc.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <iterator>
#include <string_view>

#include <nghttp2/nghttp2.h>

namespace vernier::engine {
namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20;
constexpr std::int32_t window = 4 << 20;  // bytes that may be on their way

// Five bytes before each message: whether it is compressed, and its length.
constexpr std::size_t size_of_head = 5;

std::string with_head(const std::string& message) {
  std::string framed(size_of_head, '\0');
  const auto size = static_cast<std::uint32_t>(message.size());
  for (std::size_t i = 0; i < 4; ++i) framed[4 - i] = static_cast<char>(size >> (8 * i));
  return framed + message;
}

// Whether the bytes are whole messages, not compressed.
bool take_messages(std::string_view bytes, std::vector<std::string>& messages) {
  while (!bytes.empty()) {
    if (bytes.size() < size_of_head || bytes.front() != 0) return false;
    std::size_t size = 0;
    for (std::size_t i = 1; i < size_of_head; ++i) size = size << 8 | static_cast<unsigned char>(bytes[i]);
    bytes.remove_prefix(size_of_head);
    if (size > bytes.size()) return false;
    messages.emplace_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return true;
}

int number_of(std::string_view digits) {
  int number = -1;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return failure == std::errc() && end == digits.data() + digits.size() ? number : -1;
}

std::string authority_of(const Channel::Server& server) {
  const bool is_number = server.host.find(':') != std::string::npos;
  return (is_number ? "[" + server.host + "]" : server.host) + ":" + std::to_string(server.port);
}

}  // namespace

// HTTP/2 over a channel, and the one call that is under way.
class Grpc::Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() { nghttp2_session_del(own_); }

  Channel::State open(const Channel::Server& server, const Progress& progress) {
    if (channel_.open(server, progress) != Channel::State::open) return channel_.state();
    nghttp2_session_callbacks* callbacks = nullptr;
    if (nghttp2_session_callbacks_new(&callbacks) != 0) return Channel::State::lost;
    nghttp2_session_callbacks_set_on_header_callback(callbacks, take_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, take_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, take_end);
    const int made = nghttp2_session_client_new(&own_, callbacks, this);
    nghttp2_session_callbacks_del(callbacks);
    if (made != 0) return Channel::State::lost;
    const nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
                                               {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window}};
    nghttp2_submit_settings(own_, NGHTTP2_FLAG_NONE, settings, std::size(settings));
    nghttp2_session_set_local_window_size(own_, NGHTTP2_FLAG_NONE, 0, window);
    return channel_.state();
  }

  bool is_lost() const {
    const bool is_over =
        own_ == nullptr || (nghttp2_session_want_read(own_) == 0 && nghttp2_session_want_write(own_) == 0);
    return is_over || channel_.state() != Channel::State::open;
  }

  Reply call(const Headers& headers, const std::string& message, Clock::time_point end, const Progress& progress) {
    call_ = {};
    call_.request = with_head(message);
    if (is_lost() || !submit(headers)) return {};
    while (!call_.has_ended) {
      const bool is_wanted = progress(0), is_late = Clock::now() >= end;
      if (!is_wanted || is_late) return given_up(is_wanted ? Came::late : Came::stopped);
      if (!turn()) return {};
    }
    return answered();
  }

 private:
  struct Call {
    std::int32_t stream = -1;
    std::string request;
    std::size_t sent = 0;
    std::string body;
    int status = 0;
    int code = -1;
    bool has_ended = false;
    bool is_broken = false;
  };

  static Session& of(void* user) { return *static_cast<Session*>(user); }

  static nghttp2_nv header(const std::pair<std::string, std::string>& one) {
    const auto bytes = [](const std::string& text) {  // which are only read
      return const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(text.data()));
    };
    return {bytes(one.first), bytes(one.second), one.first.size(), one.second.size(), NGHTTP2_NV_FLAG_NONE};
  }

  bool submit(const Headers& headers) {
    std::vector<nghttp2_nv> all;
    std::transform(headers.begin(), headers.end(), std::back_inserter(all), header);
    const nghttp2_data_provider body{{.ptr = nullptr}, give_data};
    call_.stream = nghttp2_submit_request(own_, nullptr, all.data(), all.size(), &body, nullptr);
    return call_.stream > 0;
  }

  // Sends what is to be sent, and takes what came; whether the connection still stands.
  bool turn() {
    const std::uint8_t* bytes = nullptr;
    for (ssize_t size = 0; (size = nghttp2_session_mem_send(own_, &bytes)) > 0;) {
      channel_.send({reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)});
    }
    const std::string came = channel_.receive();
    const auto* const first = reinterpret_cast<const std::uint8_t*>(came.data());
    const bool is_read = nghttp2_session_mem_recv(own_, first, came.size()) == static_cast<ssize_t>(came.size());
    return is_read && (call_.has_ended || !is_lost());
  }

  Reply given_up(Came why) {
    nghttp2_submit_rst_stream(own_, NGHTTP2_FLAG_NONE, call_.stream, NGHTTP2_CANCEL);
    (void)turn();
    call_.stream = -1;
    return {why};
  }

  Reply answered() {
    Reply reply{Came::answer, call_.code};
    const bool is_whole = call_.status == 200 && !call_.is_broken && take_messages(call_.body, reply.messages);
    if (!is_whole) reply.code = call_.code > ok ? call_.code : -1;
    return reply;
  }

  // ---- what nghttp2 calls

  static ssize_t give_data(nghttp2_session*, std::int32_t stream, std::uint8_t* to, std::size_t most,
                           std::uint32_t* flags, nghttp2_data_source*, void* user) {
    Call& call = of(user).call_;
    if (stream != call.stream) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    const std::size_t size = std::min(most, call.request.size() - call.sent);
    std::memcpy(to, call.request.data() + call.sent, size);
    call.sent += size;
    if (call.sent == call.request.size()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    return static_cast<ssize_t>(size);
  }

  static int take_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_size,
                         const std::uint8_t* value, std::size_t value_size, std::uint8_t, void* user) {
    Call& call = of(user).call_;
    if (frame->hd.stream_id != call.stream) return 0;
    const std::string_view key(reinterpret_cast<const char*>(name), name_size);
    const std::string_view text(reinterpret_cast<const char*>(value), value_size);
    if (key == ":status") call.status = number_of(text);
    if (key == "grpc-status") call.code = number_of(text);
    return 0;
  }

  static int take_data(nghttp2_session*, std::uint8_t, std::int32_t stream, const std::uint8_t* data, std::size_t size,
                       void* user) {
    Call& call = of(user).call_;
    if (stream != call.stream) return 0;
    if (call.body.size() + size > most_bytes) call.is_broken = true;
    if (!call.is_broken) call.body.append(reinterpret_cast<const char*>(data), size);
    return 0;
  }

  static int take_end(nghttp2_session*, std::int32_t stream, std::uint32_t problem, void* user) {
    Call& call = of(user).call_;
    if (stream != call.stream) return 0;
    call.has_ended = true;
    call.is_broken = call.is_broken || problem != NGHTTP2_NO_ERROR;
    return 0;
  }

  Channel channel_;
  nghttp2_session* own_ = nullptr;
  Call call_;
};

Grpc::Grpc(Channel::Server server, Headers headers) : server_(std::move(server)), headers_(std::move(headers)) {}
Grpc::~Grpc() = default;

Channel::State Grpc::open(const Progress& progress) {
  session_ = std::make_unique<Session>();
  return session_->open(server_, progress);
}

bool Grpc::is_lost() const { return !session_ || session_->is_lost(); }

Grpc::Reply Grpc::call(const std::string& method, const std::string& message, Clock::time_point end,
                       const Progress& progress) {
  if (!session_) return {};
  Headers all = {{":method", "POST"},      {":scheme", server_.is_secure ? "https" : "http"},
                 {":path", method},        {":authority", authority_of(server_)},
                 {"te", "trailers"},       {"content-type", "application/grpc"},
                 {"user-agent", "vernier"}};
  all.insert(all.end(), headers_.begin(), headers_.end());
  return session_->call(all, message, end, progress);
}

}  // namespace vernier::engine
