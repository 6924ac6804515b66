import { describe, expect, it } from 'vitest';
import {
  applyDefaults,
  applyPath,
  valueAt,
  attrStep,
  BOOL,
  convert,
  CtyError,
  type Defaults,
  type DeprecationMark,
  DYNAMIC,
  formatPath,
  friendlyName,
  friendlyNameForConstraint,
  hasDynamic,
  indexStep,
  internMarks,
  list,
  listType,
  map,
  mapType,
  NO_MARKS,
  NULL,
  nullOf,
  NUMBER,
  number,
  object,
  objectType,
  type Path,
  pathEquals,
  pathKey,
  PathSet,
  pathStartsWith,
  SENSITIVE_MARKS,
  set,
  setType,
  str,
  STRING,
  tuple,
  tupleType,
  typeToString,
  unionMarks,
  unknownOf,
  type Value,
  walk,
  withoutOptional,
} from './index.ts';

describe('type names', () => {
  it.each([
    [listType(DYNAMIC), 'list of dynamic', 'list of any single type', 'list(any)'],
    [mapType(setType(STRING)), 'map of set of string', 'map of set of string', 'map(set(string))'],
    [DYNAMIC, 'dynamic', 'any type', 'any'],
    [objectType({ a: STRING }), 'object', 'object', 'object({a=string})'],
    [objectType({ a: STRING }, ['a']), 'object', 'object', 'object({a=optional(string)})'],
    [objectType({ 'a b': BOOL }), 'object', 'object', 'object({"a b"=bool})'],
    [tupleType([NUMBER, DYNAMIC]), 'tuple', 'tuple', 'tuple([number,any])'],
  ])('of %#', (type, name, constraint, expression) => {
    expect(friendlyName(type)).toBe(name);
    expect(friendlyNameForConstraint(type)).toBe(constraint);
    expect(typeToString(type)).toBe(expression);
  });

  it('recognizes dynamic types, and removes optional attributes', () => {
    expect(hasDynamic(mapType(tupleType([STRING, DYNAMIC])))).toBe(true);
    expect(hasDynamic(mapType(tupleType([STRING])))).toBe(false);
    const constraint = listType(objectType({ a: objectType({ b: STRING }, ['b']) }, ['a']));
    const plain = listType(objectType({ a: objectType({ b: STRING }) }));
    expect(withoutOptional(constraint)).toBe(plain);
  });
});

describe('paths', () => {
  const path: Path = [attrStep('foo'), indexStep(0), indexStep('k"'), indexStep(number(1.5))];
  it('are shown as Terraform shows them', () => {
    expect(formatPath(path)).toBe('.foo[0]["k\\""][1.5]');
    expect(formatPath([indexStep(object({}))])).toBe('[...]');
    expect(formatPath([indexStep(unknownOf(NUMBER))])).toBe('[(not yet known)]');
  });

  it('are distinguished by their keys', () => {
    const same: Path = [attrStep('foo'), indexStep(0), indexStep('k"'), indexStep(number(1.5))];
    expect(pathEquals(path, same)).toBe(true);
    expect(pathKey(path)).toBe(pathKey(same));
    const others: Path[] = [
      [attrStep('0')],
      [indexStep(0)],
      [indexStep('0')],
      [indexStep(str('0').mark('sensitive').unmark()), attrStep('x')],
      [indexStep(list(STRING, [str('0')]))],
      [indexStep(tuple([str('0')]))],
    ];
    expect(new Set(others.map(pathKey)).size).toBe(others.length);
    expect(pathStartsWith(path, path.slice(0, 2))).toBe(true);
    expect(pathStartsWith(path.slice(0, 2), path)).toBe(false);
  });

  it('form sets', () => {
    const paths = new PathSet([path]);
    paths.add([...path]);
    paths.add([attrStep('a')]);
    expect(paths.size).toBe(2);
    expect(paths.has([attrStep('a')])).toBe(true);
    expect(paths.has([])).toBe(false);
    expect(paths.list().map(formatPath)).toEqual(['.foo[0]["k\\""][1.5]', '.a']);
    const steps = new PathSet();
    steps.addAllSteps(path);
    expect(steps.size).toBe(4);
  });

  it('lead to values, with the marks on the way', () => {
    const v = object({
      a: list(STRING, [str('x')]).mark('sensitive'),
      m: map(STRING, [['k', str('y')]]),
    });
    expect(applyPath(v, [attrStep('m'), indexStep('k')]).asString()).toBe('y');
    expect(applyPath(v, [attrStep('a'), indexStep(0)]).hasMark('sensitive')).toBe(true);
    const unknown = applyPath(unknownOf(v.type), [attrStep('a'), indexStep(5)]);
    expect(unknown.rawEquals(unknownOf(STRING))).toBe(true);
  });

  it.each<[string, Value, Path, string]>([
    [
      'a null object',
      nullOf(objectType({ a: STRING })),
      [attrStep('a')],
      'at step 0: cannot access attributes on a null value',
    ],
    ['no object', str('a'), [attrStep('a')], 'at step 0: not an object type'],
    ['a missing attribute', object({}), [attrStep('a')], 'at step 0: object has no attribute "a"'],
    [
      'a null list',
      nullOf(listType(STRING)),
      [indexStep(0)],
      'at step 0: cannot index a null value',
    ],
    [
      'a missing element',
      tuple([]),
      [indexStep(0)],
      'at step 0: value does not have given index key',
    ],
    ['a set', set(STRING, []), [indexStep('a')], 'at step 0: not a map type'],
  ])('lead nowhere in %s', (_, v, p, message) => {
    expect(() => applyPath(v, p)).toThrow(CtyError);
    expect(() => applyPath(v, p)).toThrow(message);
    expect(valueAt(v, p)).toBeUndefined();
  });
});

describe('marks', () => {
  const deprecated = (message: string): DeprecationMark => {
    return { kind: 'deprecated', message, origin: 'x', isRemote: false };
  };

  it('are interned by content', () => {
    expect(internMarks(new Set(['sensitive']))).toBe(SENSITIVE_MARKS);
    expect(unionMarks(SENSITIVE_MARKS, NO_MARKS)).toBe(SENSITIVE_MARKS);
    const a = internMarks(new Set([deprecated('old')]));
    expect(internMarks(new Set([deprecated('old')]))).toBe(a);
    expect(internMarks(new Set([deprecated('older')]))).not.toBe(a);
  });

  it('stay in place, and can be found', () => {
    const v = str('a').mark(deprecated('old')).mark('sensitive').mark('sensitive');
    expect(v.marks.size).toBe(2);
    expect(v.hasMark('deprecated')).toBe(true);
    expect(v.hasMark('ephemeral')).toBe(false);
    expect(str('b').withSameMarks(v).hasMarkDeep('deprecated')).toBe(true);
  });

  it('in a set go to the set', () => {
    const element = object({ a: str('x'), b: str('y') });
    const v = object({ s: set(element.type, [element]) });
    const path: Path = [attrStep('s'), indexStep(element), attrStep('a')];
    const marked = v.markWithPaths([{ path, marks: SENSITIVE_MARKS }]);
    expect(marked.attr('s').hasMark('sensitive')).toBe(true);
    const { paths } = marked.unmarkDeepWithPaths();
    expect(paths.map((entry) => formatPath(entry.path))).toEqual(['.s']);
  });

  it('in a set are found by equal elements', () => {
    for (const [element, key] of [
      [object({ a: number(-0) }), object({ a: number(0) })],
      [number(0), number(-0)],
      [str('x'), str('x')],
    ] as const) {
      const v = set(element.type, [element]);
      const marked = v.markWithPaths([{ path: [indexStep(key)], marks: SENSITIVE_MARKS }]);
      expect(marked.hasMark('sensitive')).toBe(true);
    }
  });

  it('for places that are not there are ignored', () => {
    const v = object({ a: nullOf(listType(STRING)) });
    const paths = [
      { path: [attrStep('a'), indexStep(0)], marks: SENSITIVE_MARKS },
      { path: [attrStep('b')], marks: SENSITIVE_MARKS },
    ];
    expect(v.markWithPaths(paths)).toBe(v);
  });
});

describe('walking', () => {
  it('limits the depth', () => {
    const seen: string[] = [];
    walk(object({ a: tuple([str('x')]), b: map(STRING, [['k', str('y')]]) }), (path, v) => {
      seen.push(formatPath(path));
      return v.type.kind !== 'tuple';
    });
    expect(seen).toEqual(['', '.a', '.b', '.b["k"]']);
  });
});

describe('conversion errors', () => {
  it('contain their path in the value', () => {
    const type = objectType({ a: listType(mapType(NUMBER)) });
    const v = object({ a: tuple([object({}), object({ k: str('x') })]) });
    try {
      convert(v, type);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(CtyError);
      expect(formatPath((error as CtyError).path)).toBe('.a[1]["k"]');
    }
  });
});

describe('defaults', () => {
  const inner = objectType({ port: NUMBER, host: STRING }, ['port', 'host']);
  const type = objectType({ name: STRING, server: inner, list: listType(inner) }, [
    'server',
    'list',
  ]);
  const innerDefaults: Defaults = { type: inner, values: new Map([['port', number(80)]]) };
  const defaults: Defaults = {
    type,
    values: new Map([['server', object({})]]),
    children: new Map<string, Defaults>([
      ['server', innerDefaults],
      ['list', { type: listType(inner), children: new Map([['', innerDefaults]]) }],
    ]),
  };
  const apply = (v: Value): Value => convert(applyDefaults(defaults, v), type);

  it('fill missing or null members, inside defaults too', () => {
    const v = apply(object({ name: str('n') }));
    expect(v.attr('server').attr('port').asInt()).toBe(80);
    expect(v.attr('server').attr('host').isNull).toBe(true);
    expect(v.attr('list').isNull).toBe(true);
    const explicit = apply(object({ name: str('n'), server: object({ port: NULL }) }));
    expect(explicit.attr('server').attr('port').asInt()).toBe(80);
  });

  it('reach elements of collections, which may lack different members', () => {
    const elements = tuple([object({}), object({ port: number(1) }), object({ host: str('h') })]);
    const v = apply(object({ name: str('n'), list: elements }));
    const ports = v
      .attr('list')
      .elements()
      .map((e) => e.attr('port').asInt());
    expect(ports).toEqual([80, 1, 80]);
  });

  it('keep marks and leave null and unknown values alone', () => {
    const marked = apply(object({ name: str('n') }).mark('sensitive'));
    expect(marked.hasMark('sensitive')).toBe(true);
    expect(applyDefaults(defaults, nullOf(type)).isNull).toBe(true);
    const unknown = unknownOf(withoutOptional(type));
    expect(applyDefaults(defaults, unknown)).toBe(unknown);
  });

  it('make it known that a value with a default is not null', () => {
    const value = object({ name: str('n'), server: object({ port: unknownOf(NUMBER) }) });
    expect(apply(value).attr('server').attr('port').refinement).toEqual({ notNull: true });
  });
});
