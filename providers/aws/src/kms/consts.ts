/** Error codes for a missing key or alias. */
export const NO_KEY: readonly string[] = ['NotFoundException'];

/** Kinds of keys. */
export const KEY_SPECS: readonly string[] = [
  'ECC_NIST_EDWARDS25519',
  'ECC_NIST_P256',
  'ECC_NIST_P384',
  'ECC_NIST_P521',
  'ECC_SECG_P256K1',
  'HMAC_224',
  'HMAC_256',
  'HMAC_384',
  'HMAC_512',
  'ML_DSA_44',
  'ML_DSA_65',
  'ML_DSA_87',
  'RSA_2048',
  'RSA_3072',
  'RSA_4096',
  'SM2',
  'SYMMETRIC_DEFAULT',
];

/** Values of `key_usage`. */
export const KEY_USAGES: readonly string[] = [
  'ENCRYPT_DECRYPT',
  'GENERATE_VERIFY_MAC',
  'KEY_AGREEMENT',
  'SIGN_VERIFY',
];
