#include "vernier/release/signing/signing_key.hpp"

#include <gtest/gtest.h>

#include "vernier/core/hash.hpp"

namespace vernier::release {
namespace {

// RFC 8032, section 7.1, test 3: the message is af82.
const std::string rfc_key = "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025";
const std::string rfc_signature =
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
    "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a";

// The same key as `openssl` writes it: its secret behind the fixed beginning of PKCS#8.
const std::string rfc_pem =
    "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3\n"
    "-----END PRIVATE KEY-----\n";

TEST(SigningKey, ChecksTheSignatureOfTheStandard) {
  const PublicKey key = PublicKey::of_hex(rfc_key).value();
  EXPECT_TRUE(key.verifies("\xaf\x82", rfc_signature));
  EXPECT_FALSE(key.verifies("\xaf\x83", rfc_signature));
  EXPECT_FALSE(key.verifies("", rfc_signature));
}

TEST(SigningKey, TakesLowerCaseHexOfTheRightLengthAlone) {
  const PublicKey key = PublicKey::of_hex(rfc_key).value();
  std::string upper = rfc_signature;
  upper[3] = 'D';
  ASSERT_EQ(rfc_signature[3], '1');
  EXPECT_FALSE(key.verifies("\xaf\x82", upper));
  std::string same = rfc_signature;
  same[5] = 'D';
  ASSERT_EQ(rfc_signature[5], '6');
  for (const std::string& text :
       {same, rfc_signature.substr(1), rfc_signature + "0", std::string(), rfc_signature + "00",
        rfc_signature.substr(0, 127) + "g", rfc_signature.substr(0, 127) + " "}) {
    EXPECT_FALSE(key.verifies("\xaf\x82", text)) << text;
  }
  for (const std::string& text : {rfc_key.substr(2), rfc_key + "00", "FC" + rfc_key.substr(2), std::string()}) {
    EXPECT_FALSE(PublicKey::of_hex(text)) << text;
  }
}

TEST(SigningKey, SignsWhatItsPublicKeyVerifies) {
  const SigningKey key = SigningKey::generate().value(), other = SigningKey::generate().value();
  const std::string signature = key.sign("text").value();
  EXPECT_EQ(signature.size(), PublicKey::signature_digits);
  EXPECT_TRUE(key.public_key().verifies("text", signature));
  EXPECT_FALSE(other.public_key().verifies("text", signature));
  EXPECT_EQ(key.sign("text").value(), signature);
  EXPECT_FALSE(key.public_key() == other.public_key());
}

TEST(SigningKey, GoesThroughPemAndBack) {
  const SigningKey key = SigningKey::generate().value();
  const SigningKey back = SigningKey::of_pem(key.pem().value()).value();
  EXPECT_EQ(back.public_key(), key.public_key());
  EXPECT_EQ(back.sign("text").value(), key.sign("text").value());
  const std::string pem = key.public_key().pem().value();
  EXPECT_TRUE(pem.starts_with("-----BEGIN PUBLIC KEY-----\n"));
  EXPECT_EQ(PublicKey::of_pem(pem).value(), key.public_key());
  EXPECT_EQ(key.public_key().fingerprint().size(), 64U);
}

TEST(SigningKey, ReadsWhatOpensslWrites) {
  const SigningKey key = SigningKey::of_pem(rfc_pem).value();
  EXPECT_EQ(key.public_key().hex(), rfc_key);
  EXPECT_EQ(key.sign("\xaf\x82").value(), rfc_signature);
}

TEST(SigningKey, RefusesOtherKeysAndGarbage) {
  const std::string of_x25519 =
      "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VuAyEAhSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo=\n-----END PUBLIC "
      "KEY-----\n";
  for (const std::string& text : {std::string(), std::string("garbage"), of_x25519, rfc_pem}) {
    const Result<PublicKey> key = PublicKey::of_pem(text);
    ASSERT_FALSE(key) << text;
    EXPECT_NE(key.error().sentence().find("no Ed25519 public key"), std::string::npos);
  }
  for (const std::string& text : {std::string(), std::string("garbage"), of_x25519, rfc_pem.substr(0, 60)}) {
    EXPECT_FALSE(SigningKey::of_pem(text)) << text;
  }
}

TEST(Signature, IsOverTheWholeTextWithoutItself) {
  const SigningKey key = SigningKey::generate().value();
  const std::string start = R"({"certificate":{"public_key":")" + key.public_key().hex() + R"(","signature":")";
  const std::string text = with_signature(start + "\"}}\n", key).value();
  const SignedText parts = signed_text(text).value();
  EXPECT_EQ(parts.content, start + "\"}}\n");
  EXPECT_EQ(parts.public_key, key.public_key().hex());
  EXPECT_TRUE(key.public_key().verifies(parts.content, parts.signature));
  EXPECT_EQ(text, start + parts.signature + "\"}}\n");
}

}  // namespace
}  // namespace vernier::release
