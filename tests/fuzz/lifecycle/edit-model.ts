import {
  type Edit,
  type Model,
  type Moved,
  type Place,
  type Round,
  type Thing,
} from './fuzz-model.ts';
import { instanceTexts, keysOf, localText, straysOf } from './fuzz-text.ts';

/** A configuration after the edits of a round. */
export function edited(model: Model, round: Round): Model {
  let next: Model = round.forgetMoves ? { ...model, moved: [] } : model;
  for (const edit of round.edits) next = withEdit(next, edit);
  const after = { ...next, ...round.modules };
  const moved = round.followModules ? modulesMovedTo(next, after) : after.moved;
  return withoutMovesFromTheDeclared({ ...after, moved });
}

/**
 * Removes invalid moves: from an address that is still declared, and to another type from one that no longer is.
 */
function withoutMovesFromTheDeclared(model: Model): Model {
  const declared: Record<Place, Set<string>> = { root: new Set(), m: new Set(), n: new Set() };
  for (const [slot, thing] of model.things.entries()) {
    for (const text of instanceTexts(model, slot)) declared.root.add(text);
    if (thing.present) declared[thing.place].add(localText(model, slot));
  }
  for (const key of keysOf(model.m)) declared.root.add(`module.m${key}`);
  for (const key of keysOf(model.n)) declared.m.add(`module.n${key}`);
  const moved = model.moved.filter(
    ({ place, from, to }) =>
      !declared[place].has(from) && (declared[place].has(to) || typeIn(from) === typeIn(to)),
  );
  return { ...model, moved };
}

function typeIn(text: string): string | undefined {
  return /\btest_\w+/.exec(text)?.[0];
}

function withEdit(model: Model, { slot, change, rename, moved, wholeResource }: Edit): Model {
  const things = [...model.things];
  const thing = things[slot];
  if (thing === undefined) return model;
  things[slot] = { ...thing, ...change, name: thing.name + (rename ? 1 : 0) };
  const next = { ...model, things };
  if (!moved) return next;
  const renamed = wholeResource ? renamedWhole(model, next, slot) : undefined;
  return { ...next, moved: renamed ?? movesTo(model, next, slot) };
}

/** The statements that say where the instances of a slot are now. */
function movesTo(before: Model, after: Model, slot: number): readonly Moved[] {
  const [from] = instanceTexts(before, slot);
  const [to] = instanceTexts(after, slot);
  return from === undefined || to === undefined
    ? after.moved
    : withMove(after.moved, { place: 'root', from, to });
}

/** The statements with one about a resource in its own module; undefined where it is not merely called otherwise. */
function renamedWhole(before: Model, after: Model, slot: number): readonly Moved[] | undefined {
  const [was, is] = [before.things[slot], after.things[slot]];
  const isThere = was?.present === true && is?.present === true;
  if (!isThere || was.place !== is.place || was.other !== is.other) return undefined;
  const [from, to] = [localText(before, slot), localText(after, slot)];
  if (from === to) return undefined;
  const isAbout = (address: string): boolean =>
    [from, to].some((text) => address.endsWith(text) || address.includes(`${text}[`));
  // Older statements about single instances would say something else of them.
  const others = after.moved.filter(
    (statement) => !isAbout(statement.from) && !isAbout(statement.to),
  );
  return [...others, { place: is.place, from, to }];
}

/** The statements that say which instance of a module one is now that had another key. */
function modulesMovedTo(before: Model, after: Model): readonly Moved[] {
  let { moved } = after;
  for (const [module, place] of [['m', 'root'] as const, ['n', 'm'] as const]) {
    const [old, now] = [keysOf(before[module]), keysOf(after[module])];
    const from = old.find((key) => !now.includes(key));
    const to = now.find((key) => !old.includes(key));
    if (from === undefined || to === undefined) continue;
    moved = withMove(moved, {
      place,
      from: `module.${module}${from}`,
      to: `module.${module}${to}`,
    });
  }
  return moved;
}

/** Adds a `moved` block, and removes the earlier ones that it takes back. */
function withMove(moved: readonly Moved[], move: Moved): readonly Moved[] {
  const { place, from, to } = move;
  if (from === to) return moved;
  const kept = moved.filter(
    (statement) =>
      statement.place !== place ||
      (statement.from !== from && statement.from !== to && statement.to !== to),
  );
  return [...kept, move];
}

/** The configuration with nothing in it that fails by intent. */
export function withoutFaults(model: Model, strays: ReadonlySet<string>): Model {
  const things = model.things.map((thing, slot): Thing => {
    const { precondition, postcondition, provisioner } = thing;
    return {
      ...thing,
      precondition: precondition === 'fail' ? 'pass' : precondition,
      postcondition: postcondition === 'fail' ? 'pass' : postcondition,
      provisioner:
        provisioner === 'create-fails' || provisioner === 'destroy-fails' ? undefined : provisioner,
      preventDestroy: false,
      imported: straysOf(slot).some((id) => strays.has(id)) ? thing.imported : undefined,
    };
  });
  return { ...model, things };
}
