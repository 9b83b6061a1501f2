import type { V1Definition } from '../v1-provider.ts';
import type { V2Definition } from './definition.ts';

/** What v1 callers see of a dual-stack Provider: reads of these names only (2.1, 8). */
export function v1Side(definition: V2Definition, names: readonly string[]): V1Definition {
  const { providerName, description, scopes, tools } = definition;
  const visible = tools.filter((tool) => tool.annotations.effect === 'read' && names.includes(tool.name));
  return {
    providerName,
    description,
    scopes,
    tools: visible.map((tool) => ({
      name: tool.name,
      description: tool.description,
      parameters: tool.inputSchema,
      run: (args) => {
        const outcome = tool.run(args, '');
        if (outcome instanceof Promise || outcome.kind !== 'value') throw new Error('v1 tools are plain reads');
        return outcome.value;
      },
    })),
  };
}
