import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type {
  AnalyzeAdvancedRequest,
  CreateChatCompletionRequest,
  GenerateStoryRequest,
  GenerateWithRagRequest,
  IndexRagDocumentRequest,
  StoryLength,
  TaskEntry,
  TaskType,
} from '../../../generated/types';
import { leaveAccessKeyToTasks, withKey } from '../api/access-key';
import { api, idempotencyKey } from '../api/client';
import { queries } from '../api/session';
import { operationTitle } from '../texts/operations';
import { t } from '../texts/texts';
import { Button, Segments, SelectField, TextArea, TextField } from '../ui/controls';
import { Badge, Empty, ErrorNote, Loaded, type Tone } from '../ui/feedback';
import { ChoiceField, useFilters } from '../ui/filters';
import { Card, Facts, Page, Time, Usd } from '../ui/layout';
import { Actions, Modal } from '../ui/overlays';
import { Pages, Table } from '../ui/table';

const PAGE = 25;
const STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
const TONES: Record<TaskEntry['status'], Tone> = {
  queued: 'neutral',
  running: 'accent',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'warn',
};
interface Bodies {
  createChatCompletion: CreateChatCompletionRequest;
  generateWithRag: GenerateWithRagRequest;
  generateStory: GenerateStoryRequest;
  indexRagDocument: IndexRagDocumentRequest;
  analyzeAdvanced: AnalyzeAdvancedRequest;
}

type Kind = keyof Bodies;
type FieldName = keyof typeof t.tasks.fields;

/** What a task can be made of here: the first field is what it works on. Programs can submit every other operation as well. */
const FIELDS: { [Name in Kind]: readonly (FieldName & keyof Bodies[Name])[] } = {
  createChatCompletion: ['messages', 'model', 'max_tokens'],
  generateWithRag: ['query', 'collection', 'max_tokens'],
  generateStory: ['prompt', 'genre', 'tone', 'length', 'max_tokens'],
  indexRagDocument: ['content', 'collection'],
  analyzeAdvanced: ['content', 'sentences', 'keywords_max'],
};
const KINDS = Object.keys(FIELDS) as Kind[];
const NUMBERS: readonly FieldName[] = ['max_tokens', 'sentences', 'keywords_max'];
const LENGTHS: readonly StoryLength[] = ['short', 'medium', 'long'];
const START: Texts = { model: 'embedded-extractive-1' };

type Texts = Partial<Record<FieldName, string>>;

/** The body of the operation, without what was left empty. */
function bodyOf(kind: Kind, texts: Texts): object {
  const members = FIELDS[kind].flatMap((name): [FieldName, unknown][] => {
    const text = texts[name]?.trim() ?? '';
    if (text === '') {
      return [];
    }
    const value = name === 'messages' ? [{ role: 'user', content: text }] : text;
    return [[name, NUMBERS.includes(name) ? Number(text) : value]];
  });
  return Object.fromEntries(members);
}

const PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const;

const isOpen = ({ status }: TaskEntry) => status === 'queued' || status === 'running';

export function Tasks() {
  const [{ offset = 0, status }] = useFilters();
  const state = STATES.find((known) => known === status);
  const [isSubmitting, setSubmitting] = useState(false);
  const [shown, setShown] = useState<string>();
  const query = useQuery({
    queryKey: ['tasks', state, offset],
    queryFn: async ({ signal }) => {
      const list = await withKey(
        (headers) =>
          api.GET('/api/hub/tasks', {
            params: { query: { limit: PAGE, offset, status: state } },
            headers,
            signal,
          }),
        true,
      );
      if (state === undefined && offset === 0) {
        leaveAccessKeyToTasks(list.data.tasks.some(isOpen));
      }
      return list;
    },
    // These reads count with those of the account's programs: no more of them than somebody watches for.
    refetchInterval: ({ state: { data } }) =>
      shown === undefined && data?.data.tasks.some(isOpen) ? 10_000 : false,
  });
  const submit = (
    <Button look="primary" onClick={() => setSubmitting(true)}>
      {t.tasks.submit}
    </Button>
  );
  return (
    <Page title={t.nav.tasks} lead={t.tasks.lead} actions={submit}>
      <Card
        isFlush
        title={t.nav.tasks}
        actions={
          <div className="w-40">
            <ChoiceField label={t.common.status} name="status" choices={STATES} texts={t.tasks.statuses} />
          </div>
        }
      >
        <Loaded query={query}>
          {({ data: { tasks, total } }) => (
            <>
              <Table
                label={t.nav.tasks}
                rows={tasks}
                keyOf={({ id }) => id}
                empty={
                  <Empty title={t.tasks.empty} action={submit}>
                    {t.tasks.emptyText}
                  </Empty>
                }
                columns={[
                  { name: t.common.when, cell: ({ created_at }) => <Time at={created_at} seconds /> },
                  { name: t.tasks.kind, cell: ({ task_type }) => nameOf(task_type) },
                  {
                    name: t.common.status,
                    cell: (task) => <Badge tone={TONES[task.status]}>{t.tasks.statuses[task.status]}</Badge>,
                  },
                  {
                    name: t.tasks.progress,
                    isSecondary: true,
                    cell: ({ progress }) => (
                      <progress
                        aria-label={t.tasks.progress}
                        className="w-24 accent-(--fill)"
                        max={100}
                        value={progress}
                      >
                        {progress} %
                      </progress>
                    ),
                  },
                  { name: t.tasks.cost, isNumber: true, cell: ({ cost }) => <Usd amount={cost} /> },
                ]}
                buttons={({ id }) => (
                  <Button small onClick={() => setShown(id)}>
                    {t.tasks.open}
                  </Button>
                )}
              />
              <Pages total={total} limit={PAGE} />
            </>
          )}
        </Loaded>
      </Card>
      {isSubmitting && <SubmitTask onClose={() => setSubmitting(false)} />}
      {shown !== undefined && <TaskModal id={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

function SubmitTask({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<Kind>('createChatCompletion');
  const [texts, setTexts] = useState(START);
  const [json, setJson] = useState<string>();
  const [priority, setPriority] = useState<(typeof PRIORITIES)[number]>('normal');
  const [header] = useState(idempotencyKey);
  const parameters = json === undefined ? bodyOf(kind, texts) : readObject(json);
  const submission = useMutation({
    mutationFn: () =>
      withKey((headers) =>
        api.POST('/api/hub/tasks', {
          params: { header },
          headers,
          body: { task_type: kind, parameters: (parameters ?? {}) as Record<string, never>, priority },
        }),
      ),
    onSuccess: () => {
      leaveAccessKeyToTasks(true);
      void queries.invalidateQueries({ queryKey: ['tasks'] });
      onClose();
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    submission.mutate();
  }
  return (
    <Modal title={t.tasks.submitTitle} open onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <SelectField
          label={t.tasks.what}
          value={kind}
          options={KINDS.map((value) => ({ value, text: t.tasks.kinds[value] }))}
          onChange={(event) => {
            setKind(KINDS.find((known) => known === event.target.value) ?? kind);
            setJson(undefined);
          }}
        />
        <Segments
          label={t.tasks.form}
          value={json === undefined ? 'fields' : 'json'}
          choices={(['fields', 'json'] as const).map((value) => ({ value, text: t.tasks.forms[value] }))}
          onChange={(value) =>
            setJson(value === 'json' ? JSON.stringify(bodyOf(kind, texts), null, 2) : undefined)
          }
        />
        {json === undefined ? (
          FIELDS[kind].map((name, index) => (
            <TaskField
              key={name}
              name={name}
              isFirst={index === 0}
              value={texts[name] ?? ''}
              onChange={(value) => setTexts({ ...texts, [name]: value })}
            />
          ))
        ) : (
          <TextArea
            label={t.tasks.parameters}
            error={parameters === undefined ? t.tasks.parametersError : undefined}
            rows={8}
            spellCheck={false}
            className="font-mono text-sm"
            value={json}
            onChange={(event) => setJson(event.target.value)}
          />
        )}
        <SelectField
          label={t.tasks.priority}
          value={priority}
          options={PRIORITIES.map((value) => ({ value, text: t.tasks.priorities[value] }))}
          onChange={(event) =>
            setPriority(PRIORITIES.find((known) => known === event.target.value) ?? priority)
          }
        />
        <ErrorNote error={submission.error} />
        <Actions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button
            type="submit"
            look="primary"
            busy={submission.isPending}
            disabled={parameters === undefined}
          >
            {t.tasks.submit}
          </Button>
        </Actions>
      </form>
    </Modal>
  );
}

function nameOf(type: TaskType): string {
  const kind = KINDS.find((known) => known === type);
  return kind === undefined ? operationTitle(type) : t.tasks.kinds[kind];
}

interface TaskFieldProps {
  name: FieldName;
  isFirst: boolean;
  value: string;
  onChange: (value: string) => void;
}

function TaskField({ name, isFirst, value, onChange }: TaskFieldProps) {
  const isRequired = isFirst || name === 'model';
  const field = {
    label: t.tasks.fields[name],
    value,
    required: isRequired,
    optional: !isRequired,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  if (isFirst) {
    return <TextArea {...field} rows={4} />;
  }
  if (name === 'length') {
    const options = LENGTHS.map((length) => ({ value: length, text: t.tasks.lengths[length] }));
    return <SelectField {...field} options={[{ value: '', text: t.tasks.anyLength }, ...options]} />;
  }
  return NUMBERS.includes(name) ? <TextField {...field} type="number" min={1} /> : <TextField {...field} />;
}

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** What a person reads of a result, where there is such a text in it. */
function textOf(result: TaskResult): string | undefined {
  const { choices, data } = result;
  return [choices?.[0]?.message?.content, data?.text, data?.summary].find((text) => typeof text === 'string');
}

interface TaskResult {
  choices?: { message?: { content?: unknown } }[];
  data?: { text?: unknown; summary?: unknown };
}

function TaskModal({ id, onClose }: { id: string; onClose: () => void }) {
  const params = { path: { task_id: id } };
  const query = useQuery({
    queryKey: ['tasks', 'one', id],
    queryFn: ({ signal }) =>
      withKey((headers) => api.GET('/api/hub/tasks/{task_id}', { params, headers, signal }), true),
    refetchInterval: ({ state: { data } }) => (data && isOpen(data.data) ? 7_000 : false),
  });
  const cancelling = useMutation({
    mutationFn: () =>
      withKey((headers) => api.POST('/api/hub/tasks/{task_id}/cancel', { params, headers }), true),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['tasks'] }),
  });
  const task = query.data?.data;
  return (
    <Modal title={task ? nameOf(task.task_type) : t.nav.tasks} open onClose={onClose}>
      <Loaded query={query}>
        {({ data }) => (
          <>
            <Facts
              facts={[
                [
                  t.common.status,
                  <Badge key="s" tone={TONES[data.status]}>
                    {t.tasks.statuses[data.status]}
                  </Badge>,
                ],
                [t.tasks.progress, `${data.progress} %`],
                [t.tasks.attempts, data.attempts],
                [t.tasks.cost, <Usd key="c" amount={data.cost} />],
                [t.tasks.started, <Time key="b" at={data.started_at} seconds />],
                [t.tasks.finished, <Time key="f" at={data.finished_at} seconds />],
                ...(data.error === null
                  ? []
                  : [[t.tasks.error, `${data.error.error}: ${data.error.message}`] as const]),
              ]}
            />
            {data.result !== null && (
              <>
                <h3 className="mt-5 mb-2 font-semibold">{t.tasks.result}</h3>
                <p className="mb-3 break-words whitespace-pre-wrap empty:hidden">{textOf(data.result)}</p>
                <pre
                  tabIndex={0}
                  aria-label={t.tasks.result}
                  className="max-h-72 overflow-auto rounded-xl bg-raised p-3 font-mono text-xs break-all whitespace-pre-wrap"
                >
                  {JSON.stringify(data.result, null, 2)}
                </pre>
              </>
            )}
          </>
        )}
      </Loaded>
      <ErrorNote error={cancelling.error} />
      <Actions>
        <Button onClick={onClose}>{t.common.close}</Button>
        {task && isOpen(task) && (
          <Button look="danger" busy={cancelling.isPending} onClick={() => cancelling.mutate()}>
            {t.tasks.cancel}
          </Button>
        )}
      </Actions>
    </Modal>
  );
}
