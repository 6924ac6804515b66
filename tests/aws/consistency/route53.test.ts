import { ROUTE53 } from './route53.rules.ts';
import { testRules } from './run-rules.ts';

testRules(ROUTE53);
