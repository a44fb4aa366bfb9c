import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { Agent, AgentChatResponse } from '../../../generated/types';
import { withKey } from '../api/access-key';
import { answer, api, ApiError, idempotencyKey, type Answered } from '../api/client';
import { queries } from '../api/session';
import { t } from '../texts/texts';
import { Button, CheckBox, SelectField, TextArea, TextField } from '../ui/controls';
import { Badge, Empty, ErrorNote, Loaded } from '../ui/feedback';
import { useFilters } from '../ui/filters';
import { Card, Page, Time, Usd } from '../ui/layout';
import { Actions, Confirm, Modal } from '../ui/overlays';
import { RowMenu } from '../ui/row-menu';
import { Pages, Table } from '../ui/table';

const PAGE = 25;
const TOOLS = ['rag.retrieve', 'memory.search', 'calculator', 'time'] as const;
type Tool = (typeof TOOLS)[number];

type Shown = { kind: 'create' } | { kind: 'edit' | 'chat' | 'remove'; agent: Agent };

export function Agents() {
  const [{ offset = 0 }] = useFilters();
  const [shown, setShown] = useState<Shown>();
  const close = () => setShown(undefined);
  const query = useQuery({
    queryKey: ['agents', offset],
    queryFn: ({ signal }) =>
      withKey(
        (headers) =>
          api.GET('/api/hub/agents', { params: { query: { limit: PAGE, offset } }, headers, signal }),
        true,
      ),
  });
  const create = (
    <Button look="primary" onClick={() => setShown({ kind: 'create' })}>
      {t.agents.create}
    </Button>
  );
  const itemsOf = (agent: Agent) => [
    { text: t.agents.chat, onSelect: () => setShown({ kind: 'chat', agent }) },
    { text: t.agents.edit, onSelect: () => setShown({ kind: 'edit', agent }) },
    { text: t.agents.remove, onSelect: () => setShown({ kind: 'remove', agent }), isDanger: true },
  ];
  return (
    <Page title={t.nav.agents} lead={t.agents.lead} actions={create}>
      <Card isFlush>
        <Loaded query={query}>
          {({ data: { agents, total } }) => (
            <>
              <Table
                label={t.nav.agents}
                rows={agents}
                keyOf={({ id }) => id}
                empty={
                  <Empty title={t.agents.empty} action={create}>
                    {t.agents.emptyText}
                  </Empty>
                }
                columns={[
                  {
                    name: t.common.name,
                    cell: ({ name, id, system_prompt }) => (
                      <div className="max-w-md min-w-36 wrap-anywhere">
                        <span className="font-medium">{name}</span>
                        {system_prompt !== null && (
                          <span className="line-clamp-2 text-muted">{system_prompt}</span>
                        )}
                        <code className="block font-mono text-xs break-all text-muted">{id}</code>
                      </div>
                    ),
                  },
                  {
                    name: t.agents.model,
                    isSecondary: true,
                    cell: ({ model }) => model ?? t.agents.defaultModel,
                  },
                  {
                    name: t.agents.tools,
                    isSecondary: true,
                    cell: ({ tools }) => (
                      <span className="flex flex-wrap gap-1">
                        {tools.map((tool) => (
                          <Badge key={tool}>{tool}</Badge>
                        ))}
                      </span>
                    ),
                  },
                  {
                    name: t.common.created,
                    isSecondary: true,
                    cell: ({ created_at }) => <Time at={created_at} />,
                  },
                ]}
                buttons={(agent) => (
                  <RowMenu label={t.common.actionsFor(agent.name)} items={itemsOf(agent)} />
                )}
              />
              <Pages total={total} limit={PAGE} />
            </>
          )}
        </Loaded>
      </Card>
      {shown?.kind === 'create' && <AgentForm onClose={close} />}
      {shown?.kind === 'edit' && <AgentForm agent={shown.agent} onClose={close} />}
      {shown?.kind === 'chat' && <TryAgent agent={shown.agent} onClose={close} />}
      {shown?.kind === 'remove' && <RemoveAgent agent={shown.agent} onClose={close} />}
    </Page>
  );
}

function AgentForm({ agent, onClose }: { agent?: Agent; onClose: () => void }) {
  const [name, setName] = useState(agent?.name ?? '');
  const [prompt, setPrompt] = useState(agent?.system_prompt ?? '');
  const [model, setModel] = useState(agent?.model ?? '');
  const [temperature, setTemperature] = useState(agent?.temperature?.toString() ?? '');
  const [maxTokens, setMaxTokens] = useState(agent?.max_tokens?.toString() ?? '');
  const [tools, setTools] = useState<readonly Tool[]>(() =>
    TOOLS.filter((tool) => agent?.tools.includes(tool)),
  );
  const [hasMemory, setMemory] = useState(agent?.memory.enabled ?? false);
  const [header] = useState(idempotencyKey);
  const models = useQuery({
    queryKey: ['public-prices'],
    queryFn: ({ signal }) => answer(api.GET('/api/pricing/public', { signal })),
    staleTime: Infinity,
  });
  const saving = useMutation({
    mutationFn: () => {
      const body = {
        name: name.trim(),
        system_prompt: prompt.trim() === '' ? null : prompt,
        model: model === '' ? null : model,
        temperature: temperature === '' ? null : Number(temperature),
        max_tokens: maxTokens === '' ? null : Number(maxTokens),
        tools: [...tools],
        memory: { namespace: 'default', top_k: 5, ...agent?.memory, enabled: hasMemory },
      };
      return withKey<unknown>(
        (headers) =>
          agent
            ? api.PUT('/api/hub/agents/{agent_id}', {
                params: { path: { agent_id: agent.id } },
                headers,
                body,
              })
            : api.POST('/api/hub/agents', { params: { header }, headers, body }),
        true,
      );
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['agents'] });
      onClose();
    },
  });
  const error = saving.error instanceof ApiError ? saving.error : undefined;
  const chatModels = models.data?.models.filter(({ operations }) => operations.includes('chat')) ?? [];
  function submit(event: FormEvent): void {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <Modal title={agent ? t.agents.editTitle(agent.name) : t.agents.createTitle} open onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t.common.name}
          error={error?.of('name')}
          required
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextArea
          label={t.agents.prompt}
          rows={5}
          optional
          value={prompt}
          onChange={(event) => setPrompt(event.target.value)}
        />
        <SelectField
          label={t.agents.model}
          value={model}
          options={[
            { value: '', text: t.agents.defaultModel },
            ...chatModels.map(({ id }) => ({ value: id, text: id })),
          ]}
          onChange={(event) => setModel(event.target.value)}
        />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label={t.agents.temperature}
            error={error?.of('temperature')}
            type="number"
            min={0}
            max={2}
            step={0.1}
            value={temperature}
            onChange={(event) => setTemperature(event.target.value)}
          />
          <TextField
            label={t.agents.maxTokens}
            error={error?.of('max_tokens')}
            type="number"
            min={1}
            max={32_768}
            value={maxTokens}
            onChange={(event) => setMaxTokens(event.target.value)}
          />
        </div>
        <fieldset className="rounded-xl border border-line p-4">
          <legend className="px-1 text-sm font-medium">{t.agents.tools}</legend>
          <div className="grid gap-2 sm:grid-cols-2">
            {TOOLS.map((tool) => (
              <CheckBox
                key={tool}
                label={t.agents.toolNames[tool]}
                checked={tools.includes(tool)}
                onChange={(event) =>
                  setTools(event.target.checked ? [...tools, tool] : tools.filter((other) => other !== tool))
                }
              />
            ))}
          </div>
        </fieldset>
        <CheckBox
          label={t.agents.memory}
          checked={hasMemory}
          onChange={(event) => setMemory(event.target.checked)}
        />
        <ErrorNote error={saving.error} />
        <Actions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" look="primary" busy={saving.isPending}>
            {t.common.save}
          </Button>
        </Actions>
      </form>
    </Modal>
  );
}

interface Line {
  role: 'user' | 'assistant';
  content: string;
  cost?: number;
  tools?: number;
}

function TryAgent({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [draft, setDraft] = useState('');
  const chat = useMutation({
    mutationFn: (asked: readonly Line[]) =>
      withKey(
        (headers) =>
          api.POST('/api/hub/agents/chat', {
            params: { header: idempotencyKey() },
            headers,
            body: { agent_id: agent.id, messages: asked.map(({ role, content }) => ({ role, content })) },
          }) as Promise<Answered<AgentChatResponse>>,
      ),
    onSuccess: ({ data, metadata }, asked) => {
      const tools = data.steps.reduce((sum, step) => sum + step.tool_calls.length, 0);
      setLines([...asked, { role: 'assistant', content: data.message.content, cost: metadata.cost, tools }]);
      // What was typed meanwhile is the next question.
      setDraft((typed) => (typed.trim() === asked.at(-1)?.content ? '' : typed));
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    chat.mutate([...lines, { role: 'user', content: draft.trim() }]);
  }
  return (
    <Modal title={t.agents.chatTitle(agent.name)} open onClose={onClose}>
      <ol className="flex flex-col gap-3" aria-live="polite">
        {lines.map(({ role, content, cost, tools }, index) => (
          <li key={index} className={role === 'user' ? 'self-end' : 'self-start'}>
            <div
              className={`rounded-2xl px-4 py-2.5 break-words whitespace-pre-wrap ${role === 'user' ? 'bg-tint' : 'bg-raised'}`}
            >
              {content}
            </div>
            {cost !== undefined && (
              <p className="mt-1 text-xs text-muted">
                {t.playground.exact} <Usd amount={cost} />
                {tools !== undefined && tools > 0 && ` · ${t.agents.tools}: ${tools}`}
              </p>
            )}
          </li>
        ))}
      </ol>
      <form onSubmit={submit} className="mt-4">
        <TextArea
          label={t.agents.message}
          required
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
        <ErrorNote error={chat.error} />
        <Actions>
          <Button onClick={onClose}>{t.common.close}</Button>
          <Button type="submit" look="primary" busy={chat.isPending} disabled={draft.trim() === ''}>
            {t.agents.send}
          </Button>
        </Actions>
      </form>
    </Modal>
  );
}

function RemoveAgent({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const removal = useMutation({
    mutationFn: () =>
      withKey(
        (headers) =>
          api.DELETE('/api/hub/agents/{agent_id}', { params: { path: { agent_id: agent.id } }, headers }),
        true,
      ),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['agents'] });
      onClose();
    },
  });
  return (
    <Confirm
      title={t.agents.removeTitle(agent.name)}
      description={t.agents.removeText}
      confirm={t.agents.remove}
      open
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  );
}
