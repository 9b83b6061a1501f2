/**
 * Stack traces of the `content` process. Frames and line numbers are of the
 * kind that each API level prints; nothing may depend on them.
 */

const START = [
  '\tat com.android.internal.os.RuntimeInit.nativeFinishInit(Native Method)',
  '\tat com.android.internal.os.RuntimeInit.main(RuntimeInit.java:399)',
];

/** Where the exception came from. */
export type Thrower = 'acquire' | 'call' | 'parcel' | 'result' | 'lookup';

function frames(thrower: Thrower, sdk: number): readonly string[] {
  const execute = '\tat com.android.commands.content.Content$Command.execute(Content.java:516)';
  const main = '\tat com.android.commands.content.Content.main(Content.java:735)';
  const onExecute = '\tat com.android.commands.content.Content$CallCommand.onExecute(Content.java:599)';
  const parcel =
    sdk >= 29
      ? [
          '\tat android.os.Parcel.createExceptionOrNull(Parcel.java:3069)',
          '\tat android.os.Parcel.createException(Parcel.java:3053)',
          '\tat android.os.Parcel.readException(Parcel.java:3036)',
        ]
      : [
          '\tat android.os.Parcel.readException(Parcel.java:2004)',
          '\tat android.os.Parcel.readException(Parcel.java:1950)',
        ];
  switch (thrower) {
    case 'acquire':
      return [
        ...parcel,
        '\tat android.app.IActivityManager$Stub$Proxy.getContentProviderExternal(IActivityManager.java:7312)',
        execute,
        main,
      ];
    case 'call':
      return [
        '\tat android.database.DatabaseUtils.readExceptionFromParcel(DatabaseUtils.java:172)',
        '\tat android.database.DatabaseUtils.readExceptionFromParcel(DatabaseUtils.java:142)',
        '\tat android.content.ContentProviderProxy.call(ContentProviderNative.java:732)',
        onExecute,
        execute,
        main,
      ];
    case 'parcel':
      return [
        '\tat android.os.BinderProxy.transactNative(Native Method)',
        '\tat android.os.BinderProxy.transact(BinderProxy.java:584)',
        '\tat android.content.ContentProviderProxy.call(ContentProviderNative.java:730)',
        onExecute,
        execute,
        main,
      ];
    case 'result':
      return [onExecute, execute, main];
    case 'lookup':
      return [execute, main];
  }
}

/** What `content` writes to standard error for an exception (android-facts 1.3). */
export function contentError(
  sdk: number,
  authority: string | null,
  exception: { readonly class: string; readonly message: string | null; readonly thrower: Thrower },
): string {
  const head = exception.message === null ? exception.class : `${exception.class}: ${exception.message}`;
  return [
    `Error while accessing provider:${authority ?? 'null'}`,
    head,
    ...frames(exception.thrower, sdk),
    ...START,
    '',
  ].join('\n');
}
