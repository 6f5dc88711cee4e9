#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <openssl/evp.h>
#include <openssl/x509.h>

namespace vernier::testing {

// An authority that vouches for servers of tests, by keys of its own that nobody else trusts.
class Authority {
 public:
  Authority();

  void write_certificate(const std::filesystem::path& file) const;  // which clients trust
  // Of a server with this name, valid for a day.
  void issue(const std::string& name, const std::filesystem::path& certificate, const std::filesystem::path& key) const;

 private:
  struct FreeKey {
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  };
  struct FreeCertificate {
    void operator()(X509* one) const { X509_free(one); }
  };
  using Key = std::unique_ptr<EVP_PKEY, FreeKey>;
  using Certificate = std::unique_ptr<X509, FreeCertificate>;

  static Key new_key();
  static Certificate new_certificate(const std::string& name, EVP_PKEY* key);
  static void add(X509* certificate, int extension, const std::string& value);

  Key key_ = new_key();
  Certificate certificate_;
};

}  // namespace vernier::testing
