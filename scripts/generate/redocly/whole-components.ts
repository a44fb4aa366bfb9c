import type { Oas3Rule } from '@redocly/openapi-core';

/**
 * The bundler names a component after the last part of its $ref, so a $ref into the middle of one would publish a name
 * that nobody chose. Beside a $ref only a schema's words have a meaning to every reader.
 */
export const wholeComponents: Oas3Rule = () => ({
  ref(node, context) {
    const { location, type } = context;
    const [, fragment = ''] = node.$ref.split('#');
    if (type.name !== 'PathItem' && fragment.split('/').length !== 2) {
      context.report({ message: 'only whole components can be referred to', location });
    }
    if (type.name !== 'Schema' && Object.keys(node).length > 1) {
      context.report({ message: 'only a schema may say more beside its $ref', location });
    }
  },
});
