import { testRules } from './run-rules.ts';
import { VPC } from './vpc.rules.ts';

testRules(VPC);
