// What tests of providers are written with.
export { configValue, planScenario, UNKNOWN_TEXT } from './plan-scenarios.ts';
export type { PlanResult, PlanScenario } from './plan-scenarios.ts';
export { ResourceLife } from './resource-life.ts';
export type { Step } from './resource-life.ts';
