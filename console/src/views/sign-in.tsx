import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { answer, api, ApiError } from '../api/client';
import { resetToken } from '../api/reset-link';
import { ending, forget, logIn, useForgotten } from '../api/session';
import { t } from '../texts/texts';
import { Button, TextField } from '../ui/controls';
import { ErrorNote, Note } from '../ui/feedback';

type Form = 'log-in' | 'register' | 'forgot' | 'reset';

/** What somebody sees who is not logged in, at every address: afterwards the view of that address opens. */
export function SignIn({ onReset }: { onReset: () => void }) {
  const [form, setForm] = useState<Form>(resetToken === undefined ? 'log-in' : 'reset');
  const [email, setEmail] = useState('');
  const main = useRef<HTMLElement>(null);
  // Somebody's view has gone, and a screen reader goes to what stands in its place.
  useEffect(() => {
    if (ending.why !== undefined) {
      main.current?.focus();
    }
  }, []);
  // A screen reader goes on with the new form.
  function open(next: Form): void {
    setForm(next);
    main.current?.focus();
  }
  const entry = { email, onEmail: setEmail, onForm: open };
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <aside
        aria-label={t.shell.name}
        className="hidden flex-col justify-between bg-[oklch(0.3_0.13_274)] p-12 text-white lg:flex"
      >
        <Brand />
        <div>
          <p className="max-w-md text-3xl leading-tight font-semibold tracking-tight">{t.signIn.pitch}</p>
          <ul className="mt-10 flex max-w-md flex-col gap-6">
            {t.signIn.points.map(([title, text]) => (
              <li key={title} className="border-l-2 border-white/40 pl-4">
                <p className="font-semibold">{title}</p>
                <p className="text-white/80">{text}</p>
              </li>
            ))}
          </ul>
        </div>
        <span />
      </aside>
      <main
        ref={main}
        tabIndex={-1}
        className="flex flex-col items-center justify-center px-5 py-10 outline-none"
      >
        <div className="mb-8 lg:hidden">
          <Brand />
        </div>
        <div className="w-full max-w-sm">
          {form === 'log-in' && <LogIn {...entry} />}
          {form === 'register' && <Register {...entry} />}
          {form === 'forgot' && <Forgot {...entry} />}
          {form === 'reset' && (
            <Reset
              onForm={() => {
                open('log-in');
                onReset();
              }}
            />
          )}
        </div>
      </main>
    </div>
  );
}

function Brand() {
  return (
    <span className="flex items-center gap-3 text-lg font-semibold tracking-tight">
      <img src="./favicon.svg" alt="" className="size-9" />
      {t.shell.name}
    </span>
  );
}

interface FormProps {
  /** What was typed in one form stands in the others. */
  email: string;
  onEmail: (email: string) => void;
  onForm: (form: Form) => void;
}

function LogIn({ email, onEmail, onForm }: FormProps) {
  const [password, setPassword] = useState('');
  const attempt = useMutation({ mutationFn: () => logIn(email, password) });
  return (
    <Frame
      title={t.signIn.logInTitle}
      onSubmit={() => attempt.mutate()}
      footer={
        <Switch text={t.signIn.toRegister} action={t.signIn.register} onClick={() => onForm('register')} />
      }
    >
      {ending.why === 'password' && <Note tone="good">{t.signIn.resetDone}</Note>}
      {ending.why === 'unasked' && (
        <Note tone="warn" title={t.signIn.ended}>
          {t.signIn.disabled}
        </Note>
      )}
      <Email value={email} onChange={onEmail} error={attempt.error} />
      <Password value={password} onChange={setPassword} label={t.signIn.password} isNew={false} />
      <ErrorNote error={attempt.error} />
      <Button type="submit" look="primary" busy={attempt.isPending}>
        {t.signIn.logIn}
      </Button>
      <button
        type="button"
        className="text-sm text-accent underline-offset-4 hover:underline"
        onClick={() => onForm('forgot')}
      >
        {t.signIn.forgot}
      </button>
    </Frame>
  );
}

function Register({ email, onEmail, onForm }: FormProps) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [registered, setRegistered] = useState<string>();
  const attempt = useMutation({
    mutationFn: async () => {
      if (registered !== email) {
        await answer(api.POST('/api/auth/register', { body: { email, username, password } }));
        setRegistered(email);
      }
      await logIn(email, password);
    },
  });
  return (
    <Frame
      title={t.signIn.registerTitle}
      onSubmit={() => attempt.mutate()}
      footer={<Switch text={t.signIn.toLogIn} action={t.signIn.logIn} onClick={() => onForm('log-in')} />}
    >
      <Email value={email} onChange={onEmail} error={attempt.error} />
      <TextField
        label={t.signIn.username}
        hint={t.signIn.usernameHint}
        error={errorOf(attempt.error, 'username')}
        autoComplete="username"
        required
        value={username}
        onChange={(event) => setUsername(event.target.value)}
      />
      <Password
        value={password}
        onChange={setPassword}
        label={t.signIn.password}
        isNew
        error={errorOf(attempt.error, 'password')}
      />
      <ErrorNote error={attempt.error} advice={isTaken(attempt.error) ? t.errors.taken : undefined} />
      <Button type="submit" look="primary" busy={attempt.isPending}>
        {t.signIn.register}
      </Button>
    </Frame>
  );
}

function Forgot({ email, onEmail, onForm }: FormProps) {
  const asked = useMutation({
    mutationFn: () => answer(api.POST('/api/auth/forgot-password', { body: { email } })),
  });
  return (
    <Frame
      title={t.signIn.forgotTitle}
      lead={t.signIn.forgotLead}
      onSubmit={() => asked.mutate()}
      footer={<Switch text="" action={t.signIn.backToLogIn} onClick={() => onForm('log-in')} />}
    >
      <Email value={email} onChange={onEmail} error={asked.error} />
      <ErrorNote error={asked.error} />
      <div aria-live="polite" className="empty:hidden">
        {asked.data && <Note>{asked.data.sends_email ? t.signIn.forgotSent : t.signIn.forgotNoMail}</Note>}
      </div>
      <Button type="submit" look="primary" busy={asked.isPending}>
        {t.signIn.forgotSend}
      </Button>
    </Frame>
  );
}

function Reset({ onForm }: Pick<FormProps, 'onForm'>) {
  const [password, setPassword] = useState('');
  const reset = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/api/auth/reset-password', { body: { token: resetToken ?? '', new_password: password } }),
      ),
    onSuccess: () => {
      // It has ended all sessions.
      forget('password');
      onForm('log-in');
    },
  });
  return (
    <Frame
      title={t.signIn.resetTitle}
      lead={t.signIn.resetLead}
      onSubmit={() => reset.mutate()}
      footer={<Switch text="" action={t.signIn.backToLogIn} onClick={() => onForm('log-in')} />}
    >
      <Password
        value={password}
        onChange={setPassword}
        label={t.signIn.newPassword}
        isNew
        error={errorOf(reset.error, 'new_password')}
      />
      <ErrorNote error={reset.error} />
      <Button type="submit" look="primary" busy={reset.isPending}>
        {t.signIn.setPassword}
      </Button>
    </Frame>
  );
}

function Frame({
  title,
  lead,
  children,
  footer,
  onSubmit,
}: {
  title: string;
  lead?: string;
  children: ReactNode;
  footer: ReactNode;
  onSubmit: () => void;
}) {
  useEffect(() => {
    document.title = `${title} · ${t.shell.name}`;
  }, [title]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    onSubmit();
  }
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      {lead !== undefined && <p className="mt-1 text-muted">{lead}</p>}
      <form onSubmit={submit} className="mt-6 flex flex-col gap-4">
        {children}
      </form>
      <div className="mt-8 border-t border-line pt-5 text-muted">{footer}</div>
    </>
  );
}

function Switch({ text, action, onClick }: { text: string; action: string; onClick: () => void }) {
  return (
    <p>
      {text}{' '}
      <button
        type="button"
        className="font-medium text-accent underline-offset-4 hover:underline"
        onClick={onClick}
      >
        {action}
      </button>
    </p>
  );
}

function Email({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (value: string) => void;
  error: unknown;
}) {
  return (
    <TextField
      label={t.signIn.email}
      error={errorOf(error, 'email')}
      type="email"
      autoComplete="email"
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

export function Password({
  value,
  onChange,
  label,
  isNew,
  error,
}: {
  value: string;
  onChange: (value: string) => void;
  label: string;
  isNew: boolean;
  error?: string;
}) {
  useForgotten(() => onChange(''));
  return (
    <TextField
      label={label}
      hint={isNew ? t.signIn.passwordHint : undefined}
      error={error}
      type="password"
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      minLength={isNew ? 8 : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function isTaken(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

function errorOf(error: unknown, field: string): string | undefined {
  return error instanceof ApiError ? error.of(field) : undefined;
}
