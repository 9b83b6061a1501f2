import type { calls as en } from '../en/calls.ts';
import type { Translation } from '../translation.ts';

export const calls: Translation<typeof en> = {
  // Problems of sessions and lists
  'problem.negotiation-not-v2': '这个 Provider 没有声明 v2，因此无需协商。',
  'problem.provider-unusable': '这个 Provider 没有声明可用的协议版本。',
  'remedy.provider-unusable': '请查看其清单的检查结果，其中列出了缺失或无效之处。',
  'problem.session-ended-by-provider': 'Provider 不再接受此会话，要求重新协商。',
  'remedy.session-ended-by-provider': '请重新协商。Provider 进程重启后可能会丢失会话。',
  'problem.host-closed': '应用正在关闭。',
  'problem.no-input-schema': '该工具没有输入 schema，无法生成示例。',
  // Warnings on a call
  'problem.catalog-unknown': '尚未读取工具列表，无法检查该工具及其参数。',
  'problem.tool-repeated': '列表中有 {count} 个名为“{tool}”的条目。检查以第一个为准；实际执行哪一个由 Provider 决定。',
  'problem.wait-short': '等待时间 {ms} 毫秒过短：仅启动 Provider 进程就可能超过此时间。',
  'problem.session-expires-first': '会话会在本次调用的截止时间之前过期。',
  'problem.request-id-not-uuid': 'request_id“{requestId}”不是 v2 4.1 要求的 UUID。',
  'problem.request-id-retry': '此 request_id 已随相同的工具和参数发送过：Provider 应返回相同结果，不得重复执行。',
  'problem.request-id-reused': '此 request_id 曾随其他工具或其他参数发送过：Provider 必须回答 INVALID_REQUEST。',
  // Our own refusals: nothing was sent
  'problem.no-session': '此调用没有已协商的会话。',
  'remedy.no-session': '请先协商。若强制发送，将带空的 session_token，用于观察 Provider 如何回答。',
  'problem.session-expired': '会话已过期。',
  'remedy.session-expired': '请重新协商。若强制发送，将带旧令牌，用于观察 Provider 如何回答。',
  'problem.session-ended': '会话已结束。',
  'remedy.session-ended': '请重新协商。若强制发送，将带旧令牌，用于观察 Provider 如何回答。',
  'problem.provider-disabled': 'v2 协商失败（{reason}），因此该 Provider 已被停用。不会回退到 v1（v2 第 8 节）。',
  'remedy.provider-disabled': '请在会话页查看原因，然后重新协商。',
  'problem.tool-not-in-catalog': '已读取的列表中没有工具“{tool}”。',
  'remedy.tool-not-in-catalog': '请重新读取列表，或强制调用以观察 Provider 如何回答。',
  'problem.tool-malformed': '工具“{tool}”的条目不符合规范，默认不予调用。',
  'remedy.tool-malformed': '检查结果说明了问题所在。如确需运行，请强制调用。',
  'problem.args-too-large': '参数为 {bytes} 字节；协商的 max_request_bytes 为 {limit}。',
  'remedy.args-too-large': '请缩短参数，或强制调用以观察 Provider 如何回答。',
  'problem.prepared-unknown': '该已准备的调用已不再保留。',
  'remedy.prepared-unknown': '请重新准备。仅保留最近的 200 个。',
  'problem.prepared-used': '该已准备的调用已经运行过，没有再次发送任何内容。',
  'remedy.prepared-used': '请重新准备；若要重试同一次执行，请保留 request_id。',
  'problem.prepared-stale': '准备此调用之后，会话或 Provider 已发生变化。没有发送任何内容。',
  'remedy.prepared-stale': '请重新准备，并查看将要发送的内容。',
  'problem.needs-confirmation': '“{tool}”可能会更改数据（effect：{effect}），须经确认才会运行。没有发送任何内容。',
  'remedy.needs-confirmation': '请在应用中确认该调用，或在终端使用 --yes。',
  'problem.deadline-passed': '轮到此调用时，其截止时间已过。没有发送任何内容。',
  'remedy.deadline-passed': '请以新的截止时间重新准备。',
  // Ends of a call
  'problem.call-timeout': '在 {ms} 毫秒内没有收到回答。',
  'remedy.call-timeout': 'Provider 可能仍在处理。请仅使用相同的 request_id 再次查询。',
  'problem.device-gone': '设备 {serial} 已断开。',
  'remedy.device-gone': '请重新连接设备。已发出的请求可能仍会生效：请仅使用相同的 request_id 查询。',
  'problem.provider-removed': 'Provider {provider} 所属的应用已被移除。',
  'problem.provider-replaced': 'Provider {provider} 所属的应用已被替换。',
  'remedy.provider-replaced': '请重新读取列表；新版本的回答可能不同。',
  // Checks that did not run
  'notChecked.no-catalog': '尚未读取工具列表，或列表中没有该工具。',
  'notChecked.file-not-read': '结果是一个文件，未读取其内容。',
  // What was noticed about an exchange
  'finding.effect-unknown':
    '请求已发出。“{tool}”可能仍会生效，或已经生效。请仅使用相同的 request_id {requestId} 查询或重试；使用新 ID 可能导致重复执行。',
  'finding.outcome-unknown': '请求已发出，Provider 可能仍在处理（request_id {requestId}）。',
  'finding.not-recorded': '此结果未能写入日志：{reason}',
  'finding.late-answer': '等待结束之后又收到了回答，已记入日志。',
  'finding.bridge-note': '桥接无法准确读取回答的一部分（{code}）。原文已保留。',
};
