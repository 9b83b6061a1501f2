import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** The head of a page: where it is, its name, and what can be done. */
export function PageHead({
  crumbs = [],
  title,
  marks,
  actions,
  ruled = false,
}: {
  readonly crumbs?: readonly { readonly to: string; readonly label: ReactNode }[];
  readonly title: ReactNode;
  readonly marks?: ReactNode;
  readonly actions?: ReactNode | undefined;
  readonly ruled?: boolean;
}) {
  return (
    <header className={`page-head ${ruled ? 'ruled' : ''}`}>
      <div className="grow">
        {crumbs.length === 0 ? null : (
          <div className="crumbs">
            {crumbs.map((crumb, place) => (
              <span key={crumb.to} className="row ellipsis">
                <a href={`#${crumb.to}`} className="ellipsis">
                  {crumb.label}
                </a>
                {place < crumbs.length - 1 ? <Icon name="chevron" size={10} /> : null}
              </span>
            ))}
          </div>
        )}
        <div className="page-title">
          <h1 className="anywhere">{title}</h1>
          {marks}
        </div>
      </div>
      {actions === undefined ? null : <div className="row">{actions}</div>}
    </header>
  );
}

export function Tabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly {
    readonly to: string;
    readonly label: ReactNode;
    readonly current: boolean;
    readonly count?: number | undefined;
    readonly marks?: ReactNode;
  }[];
}) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.to} className="tab" href={`#${tab.to}`} aria-current={tab.current ? 'page' : undefined}>
          {tab.label}
          {tab.count === undefined ? null : <span className="tally">{tab.count}</span>}
          {tab.marks}
        </a>
      ))}
    </nav>
  );
}

/** The scrolling part of a page that may hold nothing to focus: the keyboard can scroll it all the same. */
export function PageBody({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="page-body" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
