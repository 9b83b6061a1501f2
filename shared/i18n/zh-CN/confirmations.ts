export const confirmations = {
  // Provider 的 PendingIntent 到设备屏幕的过程
  'problem.launch-handle-gone': '此 PendingIntent 已无法启动：收到它的伴侣应用连接已断开。',
  'remedy.launch-handle-gone': '请用同一个 request_id 再次调用：Provider 会重新询问，不会重复执行。',
  'problem.launch-busy': '本检查器打开的另一个界面仍在设备前台。',
  'remedy.launch-busy': '请先在设备上处理它，或停止等待它，然后再次启动。',
  'problem.launch-timeout': '{ms} 毫秒内设备上无人作出决定。',
  'remedy.launch-timeout':
    'Provider 的界面可能仍在设备上打开，但其结果不会再传回这里。可再次启动；如果用户已作出决定，则可直接恢复。',
  'problem.launch-stopped': '已在此处停止等待结果。',
  'remedy.launch-stopped': 'Provider 的界面可能仍在设备上打开。如果用户已作出决定，可直接恢复；否则请再次启动。',
  'problem.launch-needs-confirmation': '为“{tool}”打开 Provider 的界面需要明确操作；没有打开任何界面。',
  'problem.resolution-missing': 'Provider 没有给出 PendingIntent，因此没有可打开的界面。',
  'remedy.resolution-missing':
    'v2 4.3 要求提供它。如果用户能在该应用内自行决定，可随后恢复，或用同一个 request_id 再次调用。',
  'problem.confirmation-unknown': '在应用的本次运行中，此调用没有请求任何人处理。',
  'problem.confirmation-crowded-out': '等待用户处理的调用超过 {limit} 个，已放弃最早的一个。',
  'remedy.confirmation-crowded-out': '请用同一个 request_id 再次调用。',
  // 恢复
  'problem.resume-no-token': 'Provider 没有给出 resume_token，因此无法恢复。',
  'remedy.resume-no-token': '请用同一个 request_id 再次调用。',
  'problem.resume-before-result': 'Provider 的界面尚未返回结果；应在其后恢复调用（v2 4.3）。',
  'remedy.resume-before-result': '请打开该界面并在设备上作出决定。提前恢复属于刻意行为。',
  'problem.resume-used': '此 resume_token 已发送过，只能使用一次（v2 4.3）。没有发送任何内容。',
  'remedy.resume-used': '若要了解执行结果，请用同一个 request_id 再次调用，不带该令牌。',
  'problem.resume-not-taken': 'Provider 在查看 resume_token 之前回答了 {code}（可重试），该令牌可以再次发送。',
  'remedy.resume-not-taken': '请按错误码的要求处理（协商、等待），然后再次恢复。',
  'finding.carried-out-after-cancel':
    'Provider 的界面以 RESULT_CANCELED（{resultCode}）关闭：用户已拒绝，或未作决定就离开。Provider 仍执行了该调用（{outcome}）。用户拒绝时必须返回 USER_CANCELLED。',
} as const;
