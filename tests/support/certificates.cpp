#include "support/certificates.hpp"

#include <cstdio>
#include <stdexcept>

#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace vernier::testing {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::unique_ptr<std::FILE, Close> opened(const std::filesystem::path& path) {
  std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "w"));
  if (!file) throw std::runtime_error("cannot write " + path.string());
  return file;
}

}  // namespace

Authority::Key Authority::new_key() { return Key(EVP_EC_gen("P-256")); }

Authority::Certificate Authority::new_certificate(const std::string& name, EVP_PKEY* key) {
  static int serial = 0;
  Certificate made(X509_new());
  X509_set_version(made.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(made.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(made.get()), 86400);
  X509_set_pubkey(made.get(), key);
  const auto* const text = reinterpret_cast<const unsigned char*>(name.c_str());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_ASC, text, -1, -1, 0);
  return made;
}

void Authority::add(X509* certificate, int extension, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const made = X509V3_EXT_conf_nid(nullptr, &context, extension, value.c_str());
  if (made == nullptr) throw std::runtime_error("no such extension: " + value);
  X509_add_ext(certificate, made, -1);
  X509_EXTENSION_free(made);
}

Authority::Authority() : certificate_(new_certificate("an authority of tests", key_.get())) {
  X509_set_issuer_name(certificate_.get(), X509_get_subject_name(certificate_.get()));
  add(certificate_.get(), NID_basic_constraints, "critical,CA:TRUE");
  add(certificate_.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
  if (X509_sign(certificate_.get(), key_.get(), EVP_sha256()) == 0) throw std::runtime_error("cannot sign");
}

void Authority::write_certificate(const std::filesystem::path& file) const {
  PEM_write_X509(opened(file).get(), certificate_.get());
}

void Authority::issue(const std::string& name, const std::filesystem::path& certificate,
                      const std::filesystem::path& key) const {
  const Key own = new_key();
  const Certificate made = new_certificate(name, own.get());
  X509_set_issuer_name(made.get(), X509_get_subject_name(certificate_.get()));
  add(made.get(), NID_subject_alt_name, "DNS:" + name);
  if (X509_sign(made.get(), key_.get(), EVP_sha256()) == 0) throw std::runtime_error("cannot sign");
  PEM_write_X509(opened(certificate).get(), made.get());
  PEM_write_PrivateKey(opened(key).get(), own.get(), nullptr, nullptr, 0, nullptr, nullptr);
}

}  // namespace vernier::testing
