import { EC2 } from './ec2.rules.ts';
import { testRules } from './run-rules.ts';

testRules(EC2);
