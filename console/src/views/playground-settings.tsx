import { t } from '../texts/texts';
import { SelectField, TextArea, TextField } from '../ui/controls';
import { Card } from '../ui/layout';

/** What a chat is asked with, as it was typed. */
export interface Settings {
  model: string;
  system: string;
  temperature: string;
  maxTokens: string;
  tools: string;
}

const CAPS = ['0.10', '0.50', '1.00', '5.00'];

export function SettingsCard({
  settings,
  models,
  areToolsWrong,
  onChange,
  cap,
  onCap,
}: {
  settings: Settings;
  models: readonly string[];
  areToolsWrong: boolean;
  onChange: (settings: Settings) => void;
  cap: string;
  onCap: (cap: string) => void;
}) {
  return (
    <Card title={t.playground.settings}>
      <div className="flex flex-col gap-4">
        <SelectField
          label={t.playground.model}
          value={settings.model}
          options={models.map((value) => ({ value, text: value }))}
          onChange={(event) => onChange({ ...settings, model: event.target.value })}
        />
        <TextArea
          label={t.playground.system}
          hint={t.playground.systemHint}
          optional
          rows={4}
          value={settings.system}
          onChange={(event) => onChange({ ...settings, system: event.target.value })}
        />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label={t.playground.temperature}
            type="number"
            min={0}
            max={2}
            step={0.1}
            placeholder="1"
            value={settings.temperature}
            onChange={(event) => onChange({ ...settings, temperature: event.target.value })}
          />
          <TextField
            label={t.playground.maxTokens}
            hint={t.playground.maxTokensHint}
            type="number"
            min={1}
            max={32_768}
            value={settings.maxTokens}
            onChange={(event) => onChange({ ...settings, maxTokens: event.target.value })}
          />
        </div>
        <SelectField
          label={t.playground.cap}
          hint={t.playground.capHint}
          value={cap}
          options={CAPS.map((value) => ({ value, text: `$${value}` }))}
          onChange={(event) => onCap(event.target.value)}
        />
        <TextArea
          label={t.playground.tools}
          hint={t.playground.toolsHint}
          error={areToolsWrong ? t.playground.toolsError : undefined}
          optional
          spellCheck={false}
          className="font-mono text-sm"
          value={settings.tools}
          onChange={(event) => onChange({ ...settings, tools: event.target.value })}
        />
      </div>
    </Card>
  );
}
