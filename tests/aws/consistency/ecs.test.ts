import { ECS } from './ecs.rules.ts';
import { testRules } from './run-rules.ts';

testRules(ECS);
