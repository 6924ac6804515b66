import { KMS } from './kms.rules.ts';
import { testRules } from './run-rules.ts';

testRules(KMS);
