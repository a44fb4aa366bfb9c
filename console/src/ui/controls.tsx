import { useId, useState, type ComponentProps, type MouseEvent, type ReactNode } from 'react';
import { t } from '../texts/texts';

const LOOKS = {
  primary: 'bg-fill text-white hover:bg-fill-strong border-transparent shadow-xs',
  secondary: 'bg-surface text-ink border-line hover:bg-raised shadow-xs',
  quiet: 'border-transparent text-muted hover:bg-raised hover:text-ink',
  danger: 'bg-bad-fill text-white border-transparent hover:brightness-110 shadow-xs',
};

export type Look = keyof typeof LOOKS;

export function buttonClass(look: Look = 'secondary', small = false): string {
  const size = small ? 'h-8 px-2.5 text-sm' : 'h-10 px-4';
  return `inline-flex items-center justify-center gap-2 rounded-lg border font-medium whitespace-nowrap transition-colors aria-disabled:opacity-55 aria-disabled:cursor-not-allowed ${size} ${LOOKS[look]}`;
}

interface ButtonProps extends ComponentProps<'button'> {
  look?: Look;
  small?: boolean;
  busy?: boolean;
}

/** Keeps the focus while it can't be pressed, which a browser takes from what is disabled. */
export function Button(props: ButtonProps) {
  const { look, small, busy = false, disabled = false, className = '', children, onClick, ...others } = props;
  const isOff = disabled || busy;
  function ignore(event: MouseEvent): void {
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <button
      type="button"
      {...others}
      onClick={isOff ? ignore : onClick}
      aria-disabled={isOff}
      aria-busy={busy}
      className={`${buttonClass(look, small)} ${className}`}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  );
}

const INPUT =
  'w-full rounded-lg border border-edge bg-surface px-3 text-ink placeholder:text-muted disabled:bg-raised aria-invalid:border-bad';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string;
  optional?: boolean;
  children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode;
}

/** A label, the control it is for, and below it a hint or what is wrong. */
export function Field({ label, hint, error, optional = false, children }: FieldProps) {
  const id = useId();
  const note = `${id}-note`;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-muted"> · {t.common.optional}</span>}
      </label>
      {children({ id, 'aria-describedby': note, 'aria-invalid': error !== undefined })}
      <div id={note} className={`text-sm ${error === undefined ? 'text-muted' : 'text-bad'} empty:hidden`}>
        {error ?? hint}
      </div>
    </div>
  );
}

interface Labelled {
  label: string;
  hint?: ReactNode;
  error?: string;
  optional?: boolean;
}

export function TextField({
  label,
  hint,
  error,
  optional,
  className = '',
  ...props
}: Labelled & ComponentProps<'input'>) {
  return (
    <Field {...{ label, hint, error, optional }}>
      {(ids) => <input type="text" {...props} {...ids} className={`${INPUT} h-10 ${className}`} />}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  error,
  optional,
  className = '',
  ...props
}: Labelled & ComponentProps<'textarea'>) {
  return (
    <Field {...{ label, hint, error, optional }}>
      {(ids) => <textarea rows={3} {...props} {...ids} className={`${INPUT} py-2 ${className}`} />}
    </Field>
  );
}

/** Digits are typed as text: a number field would turn them into a float, and scroll them away. */
export function UsdField({ className = '', ...props }: Labelled & ComponentProps<'input'>) {
  const { label, hint, error, optional, ...rest } = props;
  return (
    <Field {...{ label, hint, error, optional }}>
      {(ids) => (
        <div className="relative">
          <span aria-hidden="true" className="absolute inset-y-0 left-3 flex items-center text-muted">
            $
          </span>
          <input
            inputMode="decimal"
            autoComplete="off"
            {...rest}
            {...ids}
            className={`${INPUT} h-10 pl-7 tabular-nums ${className}`}
          />
        </div>
      )}
    </Field>
  );
}

interface SelectProps extends Labelled, Omit<ComponentProps<'select'>, 'children'> {
  options: readonly { value: string; text: string }[];
}

export function SelectField({
  label,
  hint,
  error,
  optional,
  options,
  className = '',
  ...props
}: SelectProps) {
  return (
    <Field {...{ label, hint, error, optional }}>
      {(ids) => (
        <select {...props} {...ids} className={`${INPUT} h-10 pr-8 ${className}`}>
          {options.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckBox({
  label,
  hint,
  ...props
}: { label: string; hint?: string } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className="flex gap-2.5">
      <input id={id} type="checkbox" {...props} className="mt-1 size-4 shrink-0 accent-(--fill)" />
      <label htmlFor={id} className="min-w-0 break-words">
        {label}
        {hint !== undefined && <span className="block text-sm text-muted">{hint}</span>}
      </label>
    </div>
  );
}

interface Choice<Value extends string> {
  value: Value;
  text: string;
}

/** A few choices of which one holds, side by side. */
export function Segments<Value extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="inline-flex max-w-full flex-wrap rounded-lg border border-line bg-raised p-0.5">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="cursor-pointer rounded-md px-3 py-1 text-sm text-muted has-checked:bg-surface has-checked:font-medium has-checked:text-ink has-checked:shadow-xs has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.text}
        </label>
      ))}
    </fieldset>
  );
}

const COPY_TEXTS = { ready: t.common.copy, copied: t.common.copied, refused: t.common.copyRefused };

/** Copies, and says so where a screen reader hears it. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [state, setState] = useState<keyof typeof COPY_TEXTS>('ready');
  async function copy(): Promise<void> {
    let isCopied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      isCopied = copyByEvent(text);
    }
    setState(isCopied ? 'copied' : 'refused');
    setTimeout(() => setState('ready'), 2000);
  }
  return (
    // Its name holds what it shows.
    <Button small onClick={() => void copy()} aria-label={state === 'ready' ? label : COPY_TEXTS[state]}>
      <span aria-live="polite">{COPY_TEXTS[state]}</span>
    </Button>
  );
}

/** For pages that may not use the clipboard. Tells whether it is copied. */
function copyByEvent(text: string): boolean {
  let isCopied = false;
  const write = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    isCopied = true;
  };
  document.addEventListener('copy', write);
  document.execCommand('copy');
  document.removeEventListener('copy', write);
  return isCopied;
}

/** Something to be copied, of which all has to be readable. */
export function CopyLine({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-raised p-2 pl-3">
      <code className="min-w-0 flex-1 font-mono text-sm break-all">{text}</code>
      <CopyButton text={text} label={`${t.common.copy}: ${label}`} />
    </div>
  );
}
