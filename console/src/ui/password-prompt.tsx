import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { answer, api } from '../api/client';
import { setPasswordPrompt, useForgotten } from '../api/session';
import { t } from '../texts/texts';
import { Button, TextField } from './controls';
import { ErrorNote } from './feedback';
import { Actions, Modal } from './overlays';

/** Asks for the password before credits, the secrets of keys and decisions about payments. */
export function PasswordPrompt() {
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const settle = useRef<(isProven: boolean) => void>(undefined);
  const proof = useMutation({
    mutationFn: () => answer(api.POST('/api/console/session/password', { body: { password } })),
    onSuccess: () => end(true),
  });

  useEffect(() => {
    setPasswordPrompt(
      () =>
        new Promise((resolve) => {
          settle.current = resolve;
          setOpen(true);
        }),
    );
  }, []);

  function end(isProven: boolean): void {
    setOpen(false);
    setPassword('');
    settle.current?.(isProven);
    settle.current = undefined;
    proof.reset();
  }

  useForgotten(() => end(false));

  function submit(event: FormEvent): void {
    event.preventDefault();
    event.stopPropagation();
    proof.mutate();
  }

  return (
    <Modal title={t.password.title} description={t.password.lead} open={isOpen} onClose={() => end(false)}>
      <form onSubmit={submit}>
        <TextField
          label={t.password.label}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <ErrorNote error={proof.error} />
        <Actions>
          <Button onClick={() => end(false)}>{t.common.cancel}</Button>
          <Button look="primary" type="submit" busy={proof.isPending}>
            {t.password.confirm}
          </Button>
        </Actions>
      </form>
    </Modal>
  );
}
