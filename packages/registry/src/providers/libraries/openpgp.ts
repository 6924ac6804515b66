// OpenPGP, in a bundle of its own.
export {
  config,
  createMessage,
  enums,
  readKeys,
  readSignature,
  unarmor,
  type Config,
  type Key,
  type PartialConfig,
  type PublicKey,
  type SignaturePacket,
  type Subkey,
} from 'openpgp';
