// Helpers for tests of providers.
export { invokeAction } from './invoke-action.ts';
export type { InvocationResult as Invoked } from './invoke-action.ts';
export { configValue, planScenario, UNKNOWN_TEXT } from './plan-scenarios.ts';
export type { PlanResult, PlanScenario } from './plan-scenarios.ts';
export { openEphemeral, readData } from './read-data.ts';
export { ResourceLife } from './resource-life.ts';
export type { Step, Written } from './resource-life.ts';
