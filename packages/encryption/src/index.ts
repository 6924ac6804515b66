export {
  type EncryptionConfiguration,
  type KeyProviderBlock,
  mergeConfigurations,
  type MethodBlock,
  type TargetBlock,
} from './configuration.ts';
export { type Encryption, openEncryption } from './encryption.ts';
export { isEnvelope, type StateName } from './envelope.ts';
export { EncryptionError } from './failure.ts';
export type { KeyHost } from './key-provider.ts';
export type { PlanEncryption } from './plan-encryption.ts';
export type { RecordSeal } from './record-seal.ts';
export type { EncryptionPorts, EvaluateConstant } from './setup.ts';
export type { StateEncryption } from './state-encryption.ts';
