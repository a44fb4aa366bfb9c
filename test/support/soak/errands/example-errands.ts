import { apis } from '../../../../generated/contract';
import document from '../../../../generated/openapi.json';
import type { OperationPolicy } from '../../../../src/contract/operation';
import { EMBEDDED_EMBEDDING_MODEL } from '../../../../src/models/embedded-provider';
import { EMBEDDED_CHAT_MODEL } from '../../../../src/text/extractive-answer';
import { FOR_MODELS_ALONE } from '../../api/operation-kinds';
import type { OperationId } from '../../api/service';
import { exampleBody } from '../../tasks/task-scene';
import { TASK_MODEL } from '../../tasks/task-upstream';
import { anyAccount, perhapsKeyed, type Errand } from './errand';

const policies = apis.flatMap((api) => Object.values<OperationPolicy>(api.operations));

/** What other errands bring before its end, because its example alone asks for what is not there. */
const NOT_BY_EXAMPLE: readonly OperationId[] = ['submitTask', 'extractDocument'];

/** Every priced operation that takes JSON, as the document's example asks for it. */
export function exampleErrands(): Errand[] {
  return policies
    .filter(({ method, price, mediaTypes }) => {
      return method === 'POST' && price !== null && mediaTypes.includes('application/json');
    })
    .map(({ operationId }) => operationId as OperationId)
    .filter((operation) => !NOT_BY_EXAMPLE.includes(operation))
    .map((operation) => ({
      share: 1,
      run: async (scene) => {
        const body = { ...exampleBody(operation), ...engineOf(operation) };
        // What the upstream of a soak answers may be no answer to an operation that only models answer: that stays a 502
        // however often it is asked again.
        const request = FOR_MODELS_ALONE.has(operation) ? { body } : perhapsKeyed(scene, { body });
        await scene.calls.call(operation, anyAccount(scene), request);
      },
    }));
}

/** Every operation that only reads, and needs to know no id. */
export function readErrands(): Errand[] {
  return policies
    .filter(({ method, path }) => method === 'GET' && !path.includes(':'))
    .map(({ operationId, role }) => ({
      share: 0.5,
      run: async (scene) => {
        const account = role === 'admin' ? scene.accounts.admin : anyAccount(scene);
        await scene.calls.call(operationId as OperationId, account);
      },
    }));
}

/** The upstream of a soak plays chats alone, so whatever wants more of a model is asked of the embedded engine. */
function engineOf(operation: OperationId): { model?: string } {
  if (operation === 'createEmbedding') {
    return { model: EMBEDDED_EMBEDDING_MODEL };
  }
  const asked = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods) as DocumentedOperation[])
    .find(({ operationId }) => operationId === operation);
  const { $ref = '' } = asked?.requestBody?.content['application/json']?.schema ?? {};
  const schemas = document.components.schemas as Record<string, { properties?: Record<string, unknown> }>;
  return schemas[$ref.split('/').pop() ?? '']?.properties?.model
    ? { model: FOR_MODELS_ALONE.has(operation) ? TASK_MODEL : EMBEDDED_CHAT_MODEL }
    : {};
}

interface DocumentedOperation {
  operationId?: string;
  requestBody?: { content: Record<string, { schema?: { $ref?: string } } | undefined> };
}
