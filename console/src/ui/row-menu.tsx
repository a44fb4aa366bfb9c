import { Menu } from '@base-ui/react/menu';

export interface MenuItem {
  text: string;
  onSelect: () => void;
  isDanger?: boolean;
}

/** What can be done with one row of a table. */
export function RowMenu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        aria-label={label}
        className="inline-flex size-8 items-center justify-center rounded-lg text-muted hover:bg-raised hover:text-ink data-popup-open:bg-raised"
      >
        <span aria-hidden="true">•••</span>
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className="z-50">
          <Menu.Popup className="min-w-44 rounded-xl border border-line bg-surface p-1 shadow-xl outline-none">
            {items.map(({ text, onSelect, isDanger = false }) => (
              <Menu.Item
                key={text}
                onClick={onSelect}
                className={`cursor-pointer rounded-lg px-3 py-2 text-sm outline-none data-highlighted:bg-raised ${isDanger ? 'text-bad' : ''}`}
              >
                {text}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
