export { type FileChange, writeFiles } from './file-change.ts';
export { type FileTexts, overlayHost } from './overlay-files.ts';
export { planTrial, plannedChanges, type RefactorOptions, type Trial } from './prove.ts';
export { findMoves, type FoundMoves, type Move, type MovePair } from './moved/find-moves.ts';
export { movedText, type ProposedMoves, proposeMoves } from './moved/propose-moves.ts';
export { type ExtractRequest, type Extraction, extractModule } from './extract/extract-module.ts';
export { prepareSplit, type Split, type SplitRequest, writeSplit } from './split/split-state.ts';
export {
  type Adoption,
  adoptObjects,
  type AdoptedObject,
  type AdoptOptions,
  type RejectedObject,
} from './adopt/adopt-objects.ts';
