import type { uiRetries as en } from '../en/ui-retries.ts';
import type { Translation } from '../translation.ts';

export const uiRetries: Translation<typeof en> = {
  'uiRetries.attempts': '此 request_id 的各次尝试',
  'uiRetries.attempt': '第 {attempt} 次',
  'uiRetries.kind.retryable': 'Provider 允许以相同的 request_id 再次发送。',
  'uiRetries.kind.no-answer':
    '不知道它如何结束。相同的 request_id 再次查询不会重复执行（v2 4.1、6）；使用新 ID 则可能再次执行。',
  'uiRetries.kind.not-sent': '未发送任何内容，仍可使用相同的 request_id。',
  'uiRetries.again': '再次发送',
  'uiRetries.againHelp': '以相同的参数、相同的 request_id 和新的截止时间发送；没有打开的会话时先建立新会话',
  'uiRetries.againIn': '{left} 后可再次发送',
  'uiRetries.early': '仍要立即发送…',
  'uiRetries.safeUntil': 'Provider 在 {time} 之前必须记得此 request_id（幂等窗口）。',
  'uiRetries.windowOver': '幂等窗口已于 {time} 结束：Provider 可能已忘记此 request_id 并再次执行。',
  'uiRetries.next': '第 {attempt} 次尝试将在 {left} 后自动进行（剩余 {count} 次）',
  'uiRetries.stop': '停止重试',
  'uiRetries.noneFollows': '不会自动重试',
  'uiRetries.confirmEffect':
    '此调用可能会更改数据。Provider 不得对同一 request_id 执行两次；它是否遵守，由您亲眼所见。',
  'uiRetries.confirmEarly': '这是有意违背 Provider 的要求。',
  'uiRetries.confirmWindow': 'Provider 可能已忘记此 request_id，可能会第二次执行。',
  'uiRetries.send': '再次发送',
  'uiRetries.failed': '未再次发送',
  'uiRetries.auto': '重试',
  'uiRetries.autoHelp': '在 Provider 的错误允许时，按其要求的等待时间，以相同的 request_id 自动再次发送（v2 5）',
  'uiRetries.autoOff': '关闭',
  'uiRetries.autoUpTo': '最多 {count} 次',
  'uiRetries.deadline': '截止时间',
  'uiRetries.deadlineHelp': '作为 deadline_at_ms 发送。输入的时间按原样发送，不随设备时钟修正',
  'uiRetries.deadlineFromWait': '现在 + 等待',
  'uiRetries.deadlineAt': '指定时间',
  'uiRetries.deadlineTime': '截止的时间',
  'uiRetries.deadlineInvalid': '请输入截止的日期和时间。',
  'uiRetries.queue': '{running} 个进行中，{unknown} 个未知，{waiting} 个等待；最多同时 {limit} 个',
  'uiRetries.queueHelp':
    '发往此 Provider 的请求与 max_concurrent_requests 的对比。未知：已无人等待应答，但 Provider 可能仍在处理，因此名额保留到截止时间再加 5 秒。',
  'uiRetries.notSent': '未发送',
  'uiRetries.place': '排队 {place}/{count}',
};
