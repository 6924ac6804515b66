import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { acceptanceTest, isSet, UNKNOWN } from '@terrane/provider-testing';
import { notesProvider } from '../src/provider.ts';
import { NotesService } from './notes-service.ts';

const service = new NotesService();
let endpoint: string;

before(async () => {
  endpoint = await service.listen();
});
beforeEach(() => service.clear());
after(() => service.close());

const providers = { 'example/notes': notesProvider };

function note(text: string, notebook = 'home'): string {
  return `
    provider "notes" {
      endpoint = "${endpoint}"
    }
    resource "notes_note" "it" {
      notebook = "${notebook}"
      text     = "${text}"
      tags     = { urgent = "yes" }
    }
    data "notes_notebook" "home" {
      name       = "home"
      depends_on = [notes_note.it]
    }
    output "title" {
      value = provider::notes::title(notes_note.it.text)
    }
  `;
}

test('a note is created, changed, moved, imported and deleted', async () => {
  await acceptanceTest({
    providers,
    steps: [
      {
        config: note('Milk'),
        plan: { 'notes_note.it': { action: 'create', after: { text: 'Milk', id: UNKNOWN } } },
        state: {
          'notes_note.it': { id: isSet, text: 'Milk', tags: { urgent: 'yes' }, revision: 1 },
          'data.notes_notebook.home': { texts: ['Milk'] },
        },
        outputs: { title: 'Milk' },
      },
      { import: 'notes_note.it', ignore: ['timeouts'] },
      {
        config: note('Bread'),
        plan: { 'notes_note.it': 'update' },
        state: { 'notes_note.it': { text: 'Bread', revision: 2 } },
      },
      {
        config: note('Bread', 'work'),
        plan: { 'notes_note.it': { action: 'replace', replacedBy: ['notebook'] } },
        state: { 'notes_note.it': { revision: 1 } },
      },
    ],
    afterDestroy: () => assert.deepEqual(service.notes, []),
  });
});

test('what others change is seen, and put right', async () => {
  await acceptanceTest({
    providers,
    steps: [
      { config: note('Milk') },
      {
        name: 'somebody changes the text',
        refresh: true,
        before: () => service.change({ text: 'Wine' }),
        drift: { 'notes_note.it': { text: 'Wine', revision: 2 } },
        plan: { 'notes_note.it': { action: 'update', after: { text: 'Milk' } } },
      },
      { config: note('Milk'), state: { 'notes_note.it': { text: 'Milk', revision: 3 } } },
      {
        name: 'somebody throws it away',
        refresh: true,
        before: () => service.clear(),
        drift: { 'notes_note.it': null },
        plan: { 'notes_note.it': 'create' },
      },
    ],
  });
});

test('faults of the configuration are told', async () => {
  await acceptanceTest({
    providers,
    steps: [
      { config: note(''), error: /Attribute text string length must be between 1 and 1000/ },
      {
        config: note('Milk').replace(endpoint, 'http://127.0.0.1:1'),
        error: 'fetch failed',
      },
    ],
  });
});
