// The steps of the lifecycle tests in this directory, by resource type.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Expression, type ObjectExpression, parseSync, Visitor } from 'oxc-parser';

/** Lifecycle steps besides creation, a plan without changes and destruction, which every lifecycle has. */
export const STEPS = ['import', 'updates', 'replace', 'drift', 'disappear'] as const;

export type LifeStep = (typeof STEPS)[number];

/** The lifecycle steps of a resource type. */
export interface Lived {
  readonly steps: Set<LifeStep>;
  /** why there are no others */
  readonly reasons: Map<LifeStep, string>;
}

/** The lives of all resource types: calls of `resourceLife`, whose addresses are written out. */
export function livesIn(folder: string): ReadonlyMap<string, Lived> {
  const lives = new Map<string, Lived>();
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.test.ts'))) {
    const { program } = parseSync(name, readFileSync(join(folder, name), 'utf8'));
    new Visitor({
      CallExpression({ callee, arguments: [, life] }) {
        if (callee.type !== 'Identifier' || callee.name !== 'resourceLife') return;
        if (life?.type !== 'ObjectExpression') throw new Error(`${name}: a life is an object`);
        add(lives, propertiesOf(life), name);
      },
    }).visit(program);
  }
  return lives;
}

function add(lives: Map<string, Lived>, life: ReadonlyMap<string, Expression>, file: string): void {
  const type = textOf(life.get('address'), `${file}: the address of a life`).split('.')[0] ?? '';
  const lived = lives.get(type) ?? { steps: new Set(), reasons: new Map() };
  lives.set(type, lived);
  const without = life.get('without');
  const reasons = without?.type === 'ObjectExpression' ? propertiesOf(without) : new Map();
  for (const step of STEPS) {
    const value = life.get(step);
    // A life has an import where nothing is said of it.
    const has = step === 'import' ? !isFalse(value) : value !== undefined;
    if (has) lived.steps.add(step);
    const reason = reasons.get(step);
    if (reason !== undefined) lived.reasons.set(step, textOf(reason, `${type}: why no ${step}`));
  }
}

function propertiesOf({ properties }: ObjectExpression): ReadonlyMap<string, Expression> {
  return new Map(
    properties.flatMap((property) =>
      property.type === 'Property' && property.key.type === 'Identifier'
        ? [[property.key.name, property.value] as const]
        : [],
    ),
  );
}

function isFalse(value: Expression | undefined): boolean {
  return value?.type === 'Literal' && value.value === false;
}

function textOf(value: Expression | undefined, what: string): string {
  if (value?.type === 'Literal' && typeof value.value === 'string') return value.value;
  throw new Error(`${what} is not written out`);
}
