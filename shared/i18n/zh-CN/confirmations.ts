export const confirmations = {
  // Provider 的 PendingIntent 到设备屏幕的过程
  'problem.launch-handle-gone': '此 PendingIntent 已无法启动：收到它的伴侣应用连接已断开。',
  'remedy.launch-handle-gone': '请用同一个 request_id 再次调用：Provider 会重新询问，不会重复执行。',
  'problem.launch-busy': '本检查器打开的另一个界面仍在设备前台。',
  'remedy.launch-busy': '请先在设备上处理它，或停止等待它，然后再次启动。',
  'problem.launch-timeout': '{ms} 毫秒内设备上无人作出决定。',
  'remedy.launch-timeout':
    'Provider 的界面可能仍在设备上打开，但其结果不会再传回这里。可再次启动；如果用户已作出决定，则可直接恢复。',
} as const;
