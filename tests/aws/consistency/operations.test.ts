import { APPAUTOSCALING, LOGS } from './operations.rules.ts';
import { testRules } from './run-rules.ts';

testRules(APPAUTOSCALING);
testRules(LOGS);
