import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog } from '@base-ui/react/dialog';
import { useBlocker } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import { useForgotten } from '../api/session';
import { t } from '../texts/texts';
import { Button, TextField } from './controls';
import { ErrorNote } from './feedback';

const BACKDROP =
  'fixed inset-0 z-40 bg-black/50 transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0';
const POPUP =
  'fixed z-50 inset-x-0 bottom-0 sm:bottom-auto sm:inset-x-auto sm:left-1/2 sm:top-[8vh] sm:-translate-x-1/2 w-full sm:w-[min(38rem,calc(100vw-2rem))] max-h-[92vh] sm:max-h-[84vh] overflow-y-auto wrap-anywhere rounded-t-2xl sm:rounded-2xl border border-line bg-surface p-5 sm:p-6 shadow-2xl transition duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0 data-starting-style:translate-y-2';

const FIELD = 'input, select, textarea';

interface ModalProps {
  title: string;
  description?: ReactNode;
  open: boolean;
  onClose: () => void;
  children: ReactNode;
  /** What only its own buttons close, such as a secret that is shown once: no click beside it, no Escape, and no way back. */
  isSticky?: boolean;
}

export function Modal({ title, description, open, onClose, children, isSticky = false }: ModalProps) {
  const content = useRef<HTMLDivElement>(null);
  const [isTyped, setTyped] = useState(false);
  useForgotten(() => isSticky && onClose());
  useBlocker({ shouldBlockFn: () => true, disabled: !isSticky, enableBeforeUnload: false });
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => !next && !isSticky && onClose()}
      // A click that misses would lose what was typed.
      disablePointerDismissal={isSticky || isTyped}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={BACKDROP} />
        <Dialog.Popup
          className={POPUP}
          // A keyboard on the screen would cover the rest of the form.
          initialFocus={(by) =>
            by === 'touch' || (content.current?.querySelector<HTMLElement>(FIELD) ?? true)
          }
        >
          <div className="mb-4 flex items-start gap-4">
            <div className="min-w-0 flex-1">
              <Dialog.Title className="text-lg font-semibold">{title}</Dialog.Title>
              {description !== undefined && (
                <Dialog.Description className="mt-1 text-muted">{description}</Dialog.Description>
              )}
            </div>
            {!isSticky && (
              <Dialog.Close
                aria-label={t.common.close}
                className="-m-1.5 flex size-9 items-center justify-center rounded-lg text-xl text-muted hover:bg-raised hover:text-ink"
              >
                ×
              </Dialog.Close>
            )}
          </div>
          <div ref={content} onInput={() => setTyped(true)}>
            {children}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The buttons at the end of a form. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap-reverse justify-end gap-2">{children}</div>;
}

interface ConfirmProps {
  title: string;
  description: ReactNode;
  confirm: string;
  open: boolean;
  busy: boolean;
  error: unknown;
  onConfirm: (reason: string) => void;
  onClose: () => void;
  /** The label of a reason that has to be given. */
  reasonLabel?: string;
  isDanger?: boolean;
}

/** Asks before something that can't be taken back. */
export function Confirm(props: ConfirmProps) {
  const {
    title,
    description,
    confirm,
    open,
    busy,
    error,
    onConfirm,
    onClose,
    reasonLabel,
    isDanger = true,
  } = props;
  const [reason, setReason] = useState('');
  const isComplete = reasonLabel === undefined || reason.trim() !== '';
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={BACKDROP} />
        <AlertDialog.Popup className={POPUP}>
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 mb-4 text-muted">{description}</AlertDialog.Description>
          {reasonLabel !== undefined && (
            <TextField
              label={reasonLabel}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
          <ErrorNote error={error} />
          <Actions>
            <Button onClick={onClose}>{t.common.cancel}</Button>
            <Button
              look={isDanger ? 'danger' : 'primary'}
              busy={busy}
              disabled={!isComplete}
              onClick={() => onConfirm(reason.trim())}
            >
              {confirm}
            </Button>
          </Actions>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
