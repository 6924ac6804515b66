import { IAM } from './iam.rules.ts';
import { testRules } from './run-rules.ts';

testRules(IAM);
