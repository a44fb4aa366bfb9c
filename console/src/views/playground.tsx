import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import type { CreateChatCompletionRequest } from '../../../generated/types';
import { accessKey, chosenCap, forgetAccessKey, setCap } from '../api/access-key';
import { chargeOf, estimateCost, streamChat, type ChatEvent } from '../api/chat';
import { ApiError } from '../api/client';
import { sumOf, toJson, type NanoUsd, readUsd } from '../api/money';
import { outdate, useKept, usePrices } from '../api/session';
import { t } from '../texts/texts';
import { Button, TextArea } from '../ui/controls';
import { Empty, ErrorNote, Loaded } from '../ui/feedback';
import { Card, Money, Page } from '../ui/layout';
import { CodeModal } from './playground-code';
import { SettingsCard, type Settings } from './playground-settings';

interface Turn {
  role: 'user' | 'assistant';
  text: string;
  toolCalls?: string;
  cost?: NanoUsd;
  isExact?: boolean;
  requestId?: string;
  model?: string;
}

export function Playground() {
  const prices = usePrices();
  return (
    <Page title={t.nav.playground} lead={t.playground.lead}>
      <Loaded query={prices}>
        {({ prices: list, models }) => (
          <Chat
            prices={list}
            models={models.filter(({ operations }) => operations.includes('chat')).map(({ id }) => id)}
          />
        )}
      </Loaded>
    </Page>
  );
}

function Chat({ prices, models }: { prices: Parameters<typeof estimateCost>[0]; models: readonly string[] }) {
  const [settings, setSettings] = useKept<Settings>('chat settings', {
    model: models[0] ?? '',
    system: '',
    temperature: '',
    maxTokens: '256',
    tools: '',
  });
  const [turns, setTurns] = useKept<readonly Turn[]>('chat', []);
  const [draft, setDraft] = useKept('chat draft', '');
  const [cap, setCapText] = useState(() => chosenCap().toFixed(2));
  const [error, setError] = useState<unknown>();
  const [isCodeShown, setCodeShown] = useState(false);
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  const tools = readTools(settings.tools);
  useEffect(() => () => running.current?.abort(), []);

  const messages = [
    ...turns,
    ...(draft.trim() === '' || isRunning ? [] : [{ role: 'user' as const, text: draft.trim() }]),
  ];
  const body = bodyOf(settings, tools, messages);

  async function send(): Promise<void> {
    const asked = [...turns, { role: 'user' as const, text: draft.trim() }];
    const abort = new AbortController();
    running.current = abort;
    setRunning(true);
    setError(undefined);
    setDraft('');
    let turn: Turn = { role: 'assistant', text: '' };
    const show = (change: Partial<Turn>) => {
      turn = { ...turn, ...change };
      setTurns([...asked, turn]);
    };
    const input = asked.map(({ text }) => text).join('\n') + settings.system;
    try {
      setTurns(asked);
      for await (const event of chatWithKey(bodyOf(settings, tools, asked), abort.signal)) {
        const text = turn.text + (event.text ?? '');
        const parts = event.toolCalls
          ?.map((part) => `${part.function?.name ?? ''}${part.function?.arguments ?? ''}`)
          .join('');
        show({
          text,
          toolCalls: parts === undefined ? turn.toolCalls : (turn.toolCalls ?? '') + parts,
          requestId: event.requestId ?? turn.requestId,
          model: event.model ?? turn.model,
          cost:
            event.cost ??
            (turn.isExact === true ? turn.cost : estimateCost(prices, settings.model, input, text)),
          isExact: event.cost !== undefined || turn.isExact,
        });
      }
    } catch (failure) {
      if (!abort.signal.aborted) {
        setError(failure);
      }
      if (turn.text === '') {
        // What was not answered can be sent again.
        setTurns(turns);
        const question = asked.at(-1)?.text ?? '';
        setDraft((typed) => (typed.trim() === '' ? question : `${question}\n\n${typed}`));
      }
      const cost = await chargeOfPart(turn);
      if (cost !== undefined) {
        show({ cost, isExact: true });
      }
    } finally {
      setRunning(false);
      outdate();
    }
  }

  /** The next call takes a new key, which may spend so much. */
  function chooseCap(text: string): void {
    setCapText(text);
    setCap(toJson(readUsd(text) ?? 0n));
    setError(undefined);
  }

  function submit(event: FormEvent | KeyboardEvent): void {
    event.preventDefault();
    if (draft.trim() !== '' && !isRunning && tools !== null) {
      void send();
    }
  }

  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <Card
        title={t.playground.total}
        actions={
          <ChatActions
            turns={turns}
            isRunning={isRunning}
            onCode={() => setCodeShown(true)}
            onReset={() => setTurns([])}
          />
        }
      >
        <Turns
          turns={turns}
          isRunning={isRunning}
          onExample={() => {
            setSettings({ ...settings, system: t.playground.example });
            setDraft(t.playground.exampleQuestion);
          }}
        />
        <ChatError error={error} cap={cap} onNewKey={() => chooseCap(cap)} />
        <Message
          draft={draft}
          isRunning={isRunning}
          isSendable={draft.trim() !== '' && tools !== null}
          onChange={setDraft}
          onSubmit={submit}
          onStop={() => running.current?.abort()}
        />
      </Card>
      <SettingsCard
        settings={settings}
        models={models}
        areToolsWrong={tools === null}
        onChange={setSettings}
        cap={cap}
        onCap={chooseCap}
      />
      {isCodeShown && <CodeModal body={body} onClose={() => setCodeShown(false)} />}
    </div>
  );
}

/** A key that has ended makes room for a new one. One whose cap is reached goes on saying no until somebody takes a new one. */
async function* chatWithKey(
  body: CreateChatCompletionRequest,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent> {
  const asked = accessKey();
  try {
    yield* streamChat(body, (await asked).key_value, signal);
  } catch (failure) {
    if (!(failure instanceof ApiError && failure.status === 401)) {
      throw failure;
    }
    forgetAccessKey(asked);
    yield* streamChat(body, (await accessKey()).key_value, signal);
  }
}

/** An answer that broke off does not say what it cost, and its receipt does. */
async function chargeOfPart({ requestId, isExact = false, text }: Turn): Promise<NanoUsd | undefined> {
  return requestId === undefined || isExact || text === '' ? undefined : chargeOf(requestId);
}

/** A cap that is reached says no until somebody decides: the key is kept. */
function ChatError({ error, cap, onNewKey }: { error: unknown; cap: string; onNewKey: () => void }) {
  const isCap = error instanceof ApiError && error.reachedLimit !== undefined;
  const advice = isCap && (
    <>
      <p>{t.playground.capReached(`$${cap}`)}</p>
      <div className="mt-2">
        <Button small onClick={onNewKey}>
          {t.playground.newKey}
        </Button>
      </div>
    </>
  );
  return <ErrorNote error={error} advice={advice || undefined} />;
}

function Message({
  draft,
  isRunning,
  isSendable,
  onChange,
  onSubmit,
  onStop,
}: {
  draft: string;
  isRunning: boolean;
  isSendable: boolean;
  onChange: (draft: string) => void;
  onSubmit: (event: FormEvent | KeyboardEvent) => void;
  onStop: () => void;
}) {
  return (
    <form onSubmit={onSubmit} className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
      <TextArea
        label={t.playground.message}
        placeholder={t.playground.placeholder}
        value={draft}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            onSubmit(event);
          }
        }}
      />
      <div className="flex justify-end gap-2">
        {isRunning ? (
          <Button onClick={onStop}>{t.playground.stop}</Button>
        ) : (
          <Button type="submit" look="primary" disabled={!isSendable}>
            {t.playground.send}
          </Button>
        )}
      </div>
    </form>
  );
}

function ChatActions({
  turns,
  isRunning,
  onCode,
  onReset,
}: {
  turns: readonly Turn[];
  isRunning: boolean;
  onCode: () => void;
  onReset: () => void;
}) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="font-semibold">
        <Money nano={sumOf(turns.map(({ cost }) => cost ?? 0n))} />
      </span>
      <Button small onClick={onCode}>
        {t.playground.code}
      </Button>
      <Button small disabled={turns.length === 0 || isRunning} onClick={onReset}>
        {t.playground.reset}
      </Button>
    </span>
  );
}

function Turns({
  turns,
  isRunning,
  onExample,
}: {
  turns: readonly Turn[];
  isRunning: boolean;
  onExample: () => void;
}) {
  if (turns.length === 0) {
    return (
      <Empty
        title={t.playground.empty}
        action={<Button onClick={onExample}>{t.playground.useExample}</Button>}
      >
        {t.playground.emptyText}
      </Empty>
    );
  }
  return (
    <ol className="flex flex-col gap-4" aria-live="polite" aria-busy={isRunning}>
      {turns.map((turn, index) => (
        <li key={index} className={turn.role === 'user' ? 'self-end' : 'self-start'}>
          <p className="mb-1 text-xs font-medium text-muted">
            {turn.role === 'user' ? t.playground.you : (turn.model ?? t.playground.assistant)}
          </p>
          <div
            className={`max-w-prose rounded-2xl px-4 py-2.5 break-words whitespace-pre-wrap ${turn.role === 'user' ? 'bg-tint' : 'bg-raised'}`}
          >
            {turn.text}
            {turn.toolCalls !== undefined && (
              <code className="mt-1 block font-mono text-sm break-all">
                {t.playground.toolCall} {turn.toolCalls}
              </code>
            )}
            {turn.role === 'assistant' && turn.text === '' && turn.toolCalls === undefined && '…'}
          </div>
          {turn.cost !== undefined && (
            <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-muted">
              <span>
                {turn.isExact === true ? t.playground.exact : t.playground.soFar} <Money nano={turn.cost} />
              </span>
              {(turn.isExact === true || !isRunning) && turn.requestId !== undefined && (
                <Link
                  to="/requests/$id"
                  params={{ id: turn.requestId }}
                  className="font-medium text-accent hover:underline"
                >
                  {t.playground.receipt}
                </Link>
              )}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

type Tools = CreateChatCompletionRequest['tools'];

/** What was typed as tools; null where it is no array. */
function readTools(text: string): Tools {
  if (text.trim() === '') {
    return undefined;
  }
  try {
    const tools: unknown = JSON.parse(text);
    return Array.isArray(tools) ? (tools as Tools) : null;
  } catch {
    return null;
  }
}

function bodyOf(settings: Settings, tools: Tools, turns: readonly Turn[]): CreateChatCompletionRequest {
  const { model, system, temperature, maxTokens } = settings;
  const said = turns.map(({ role, text }) => ({ role, content: text }));
  return {
    model,
    messages: [...(system.trim() === '' ? [] : [{ role: 'system' as const, content: system }]), ...said],
    ...(temperature !== '' && { temperature: Number(temperature) }),
    ...(maxTokens !== '' && { max_tokens: Number(maxTokens) }),
    ...(tools && { tools }),
  };
}
