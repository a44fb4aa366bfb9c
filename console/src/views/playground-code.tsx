import { Tabs } from '@base-ui/react/tabs';
import type { CreateChatCompletionRequest } from '../../../generated/types';
import { codeFor, type Language } from '../api/chat';
import { apiRoot } from '../api/client';
import { t } from '../texts/texts';
import { CopyButton } from '../ui/controls';
import { Modal } from '../ui/overlays';

const LANGUAGES: readonly Language[] = ['curl', 'node', 'python'];

export function CodeModal({ body, onClose }: { body: CreateChatCompletionRequest; onClose: () => void }) {
  return (
    <Modal title={t.playground.codeTitle} description={t.playground.codeText} open onClose={onClose}>
      <Tabs.Root defaultValue="curl">
        <Tabs.List className="mb-3 flex gap-1 border-b border-line">
          {LANGUAGES.map((language) => (
            <Tabs.Tab
              key={language}
              value={language}
              className="-mb-px border-b-2 border-transparent px-3 py-2 text-muted data-active:border-accent data-active:font-medium data-active:text-ink"
            >
              {t.playground.languages[language]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {LANGUAGES.map((language) => {
          const code = codeFor(language, apiRoot, body);
          return (
            <Tabs.Panel key={language} value={language}>
              <div className="mb-2 flex justify-end">
                <CopyButton text={code} />
              </div>
              <pre
                className="overflow-x-auto rounded-xl border border-line bg-raised p-4 font-mono text-sm"
                tabIndex={0}
              >
                {code}
              </pre>
            </Tabs.Panel>
          );
        })}
      </Tabs.Root>
    </Modal>
  );
}
