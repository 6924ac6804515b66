import type { Chance } from './chance.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const VALUES: readonly Json[] = [
  ...[null, true, false, 0, -1, 1.5, 1e300, 4, 5, 2 ** 53],
  ...['', 'x', 'module.a', 'managed', 'data', 'tainted', '00000000', '[]', 'é', '${1}', '${var.x}'],
  ...['provider["terraform.io/builtin/terraform"]', 'terraform_data.a', 'dynamic', '{"type":'],
  ...[[], {}, [[]], [null], { a: null }, { type: 'get_attr', value: 'input' }, ['list', 'string']],
  ...[['object', { a: 'string' }], ['map', 'dynamic'], { value: 1, type: 'number' }],
];

/** All places of a document, as functions that replace what is there; `undefined` takes it away. */
function placesOf(document: Json): { readonly value: Json; replace(by: Json | undefined): void }[] {
  const places: { value: Json; replace(by: Json | undefined): void }[] = [];
  const pending: Json[] = [document];
  for (let holder = pending.pop(); holder !== undefined; holder = pending.pop()) {
    if (Array.isArray(holder)) {
      const list = holder;
      for (const [index, value] of list.entries()) {
        places.push({
          value,
          replace: (by) => void (by === undefined ? list.splice(index, 1) : (list[index] = by)),
        });
        pending.push(value);
      }
    } else if (holder !== null && typeof holder === 'object') {
      const object = holder;
      for (const [key, value] of Object.entries(object)) {
        places.push({
          value,
          replace: (by) => void (by === undefined ? delete object[key] : (object[key] = by)),
        });
        pending.push(value);
      }
    }
  }
  return places;
}

/** Changes, removes, doubles or moves one part of a JSON document; text that is none stays as it is. */
export function mutateJson(chance: Chance, text: string): string {
  let document: Json;
  try {
    // JSON.parse gives nothing else.
    document = JSON.parse(text) as Json;
  } catch {
    return text;
  }
  const places = placesOf(document);
  if (places.length === 0) return JSON.stringify(chance.pick(VALUES));
  const place = chance.pick(places);
  switch (chance.below(5)) {
    case 0:
      place.replace(undefined);
      break;
    case 1:
      place.replace(structuredClone(chance.pick(places).value));
      break;
    case 2:
      if (Array.isArray(place.value) && place.value.length > 0)
        place.value.push(structuredClone(chance.pick(place.value)));
      else if (
        place.value !== null &&
        typeof place.value === 'object' &&
        !Array.isArray(place.value)
      )
        place.value[chance.pick(['extra', '', 'index_key', 'deposed', '//', 'status'])] =
          chance.pick(VALUES);
      else place.replace([place.value]);
      break;
    case 3:
      if (typeof place.value === 'number') place.replace(place.value + chance.pick([-1, 1, 0.5]));
      else if (typeof place.value === 'string')
        place.replace(place.value.slice(0, chance.below(place.value.length + 1)));
      else place.replace({ nested: place.value });
      break;
    default:
      place.replace(structuredClone(chance.pick(VALUES)));
  }
  return JSON.stringify(document, undefined, chance.once(2) ? 2 : undefined);
}
