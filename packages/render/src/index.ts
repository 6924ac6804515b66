export type { TextStyle } from './text/style.ts';
export { colorize, horizontalRule } from './text/style.ts';
export { wordWrap } from './text/word-wrap.ts';
export { outputChangesText, planText, planTextParts } from './human/plan-text.ts';
export type { ShownPlan } from './human/shown-plan.ts';
export { planOverviewText, planSummaryText } from './human/plan-summary.ts';
export { cutToWidth, displayWidth } from './text/display-width.ts';
export { instanceText, stateText } from './state/state-text.ts';
export { StateSchemaError } from './state/state-tree.ts';
export { outputLines, outputsText, valueText } from './human/value-text.ts';
export { diagnosticText } from './human/diagnostic-text.ts';
export { compactWarnings, consolidate } from './human/warnings.ts';
export { eventText } from './human/event-text.ts';

export { functionsJson } from './json/functions-json.ts';
export { configurationJson, singleModuleJson } from './json/configuration-json.ts';
export { planJson, planJsonParts } from './json/plan-json.ts';
export { identitiesJson } from './json/identities-json.ts';
export { instanceJson, stateJson, stateJsonParts } from './json/state-json.ts';
export { diagnosticJsonText } from './json/diagnostic-json.ts';
export { indentJson } from './json/json-text.ts';
export { outputJson, outputsJson } from './json/outputs-json.ts';
export {
  redactedJson,
  redactedOutputJson,
  redactedOutputsJson,
  secretsOf,
} from './json/redacted-json.ts';
export { REDACTED, Secrets } from './json/secrets.ts';
export { validateJson } from './json/validate-json.ts';
export { streamLine, summaryText } from './json/stream.ts';
export type { ChangeSummary, StreamMessage } from './json/stream.ts';
export { providerSchemasJson } from './json/provider-schemas-json.ts';
export { operationGraphMermaid, resourceGraphMermaid } from './graph/mermaid.ts';
export { operationGraphDot, resourceGraphDot } from './graph/dot.ts';
export { drawPlan, drawState } from './graph/drawing.ts';
export type { DrawnAction, DrawnInstance, DrawnResource, Drawing } from './graph/drawing.ts';
export { drawingPage } from './graph/page.ts';
export type { PageHead } from './graph/page.ts';
export { drawingSvg } from './graph/svg.ts';
export { causeWords, pathWords, placeWords } from './explain/cause-words.ts';
export { valueJson } from './json/value-json.ts';
export { explanationsText } from './explain/explanation-text.ts';
export { explanationJson, explanationsJson } from './explain/explanation-json.ts';

// Runs of servers
export { isNewerPlan, readGenerated, readRemotePlan } from './json/read-plan-json.ts';
export { logRecord, logText, type LogRecord } from './remote/log-text.ts';
export { coverageText } from './test/coverage-text.ts';
export { type JunitStyle, junitXml } from './test/junit-xml.ts';
export {
  attribute as junitAttribute,
  element as junitElement,
  secondsText as junitSeconds,
} from './test/junit-elements.ts';
export { testDiagnosticLines, testLines } from './test/test-json.ts';
export {
  cleanupFailedText,
  interruptText,
  leftoversText,
  testFileText,
  testRunText,
  testSummaryText,
} from './test/test-text.ts';
