import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { acceptanceTest, isSet, UNKNOWN } from '@terrane/provider-testing';
import { ExampleCloudClient } from '../src/client.ts';
import { exampleCloudProvider } from '../src/provider.ts';

const providers = { 'registry.example.com/examplecorp/example-cloud': exampleCloudProvider };
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'items-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function config(text: string, name = 'shopping'): string {
  return `
    terraform {
      required_providers {
        examplecloud = { source = "registry.example.com/examplecorp/example-cloud" }
      }
    }
    provider "examplecloud" {
      directory = "${directory}"
    }
    resource "examplecloud_item" "it" {
      name = "${name}"
      text = "${text}"
    }
    data "examplecloud_items" "all" {
      depends_on = [examplecloud_item.it]
    }
    output "slug" {
      value = provider::examplecloud::slug("Milk & Bread")
    }
  `;
}

test('an item is created, imported, updated, replaced and deleted', async () => {
  await acceptanceTest({
    providers,
    steps: [
      {
        config: config('Milk'),
        plan: { 'examplecloud_item.it': { action: 'create', after: { id: UNKNOWN } } },
        state: {
          'examplecloud_item.it': { id: isSet, text: 'Milk', tags: {}, revision: 1 },
          'data.examplecloud_items.all': { items: [{ id: isSet, name: 'shopping' }] },
        },
        outputs: { slug: 'milk-bread' },
      },
      { import: 'examplecloud_item.it' },
      {
        config: config('Bread'),
        plan: { 'examplecloud_item.it': 'update' },
        state: { 'examplecloud_item.it': { text: 'Bread', revision: 2 } },
      },
      {
        config: config('Bread', 'work'),
        plan: { 'examplecloud_item.it': { action: 'replace', replacedBy: ['name'] } },
      },
    ],
    afterDestroy: () => assert.deepEqual(readdirSync(directory), []),
  });
});

test('changes outside of Terraform are found', async () => {
  await acceptanceTest({
    providers,
    steps: [
      { config: config('Milk') },
      {
        refresh: true,
        before: async () => {
          const client = new ExampleCloudClient(directory);
          const [item] = await client.list();
          assert(item !== undefined);
          await client.update(item.id, { ...item, text: 'Wine' });
        },
        drift: { 'examplecloud_item.it': { text: 'Wine', revision: 2 } },
        plan: { 'examplecloud_item.it': { action: 'update', after: { text: 'Milk' } } },
      },
    ],
  });
});

test('invalid configurations are errors', async () => {
  await acceptanceTest({
    providers,
    steps: [{ config: config(''), error: /string length must be between 1 and 1000/ }],
  });
});
