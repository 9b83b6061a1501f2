import { expect, test } from 'vitest';
import { consumerNames, findCollisions } from './consumer-names.ts';

test('v1 prefixes the label (v1 3.1), v2 routes by provider_id and tool (v2 3.1)', () => {
  const tools = ['get', null];
  expect(consumerNames({ protocol: 'v1', label: 'My App', providerId: null, tools })).toEqual(['My App__get', null]);
  expect(consumerNames({ protocol: 'v2', label: 'x', providerId: 'com.a', tools })).toEqual(['com.a/get', null]);
  expect(consumerNames({ protocol: 'v1', label: null, providerId: 'com.a', tools })).toEqual([null, null]);
});

test('collisions within and across Providers are named on each side', () => {
  const tool = (providerKey: string, index: number, name: string | null, consumerName: string | null) => ({
    providerKey,
    index,
    tool: name,
    consumerName,
  });
  const collisions = findCollisions([
    tool('p/A', 0, 'c', 'a__b__c'),
    tool('q/B', 0, 'b__c', 'a__b__c'),
    tool('q/B', 1, 'same', 'a__same'),
    tool('q/B', 2, 'same', 'a__same'),
    tool('q/B', 3, 'alone', 'a__alone'),
    tool('q/B', 4, null, null),
    tool('r/C', 0, null, null),
  ]);
  expect(Object.fromEntries(collisions)).toEqual({
    'p/A#0': ['q/B#b__c'],
    'q/B#0': ['p/A#c'],
    'q/B#1': ['q/B#same'],
    'q/B#2': ['q/B#same'],
  });
});
