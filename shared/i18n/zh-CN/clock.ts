import type { clock as en } from '../en/clock.ts';
import type { Translation } from '../translation.ts';

export const clock: Translation<typeof en> = {
  'doctorCheck.clock': '设备时钟',
  'doctor.clock.running': '正在测量设备时钟。',
  'doctor.clock.agrees': '与本机时钟相差 {offset} 毫秒（± {uncertainty} 毫秒）。',
  'doctor.clock.skewed':
    '与本机时钟相差 {offset} 毫秒（± {uncertainty} 毫秒）。截止时间和有效期都是绝对时刻，Provider 以自己的时钟比较。',
  'doctor.clock.unknown': '伴侣应用没有告知设备时钟。',
  'doctor.clock.failed': '无法测量设备时钟。',
  'remedy.doctor-set-clock': '请让两者都通过网络校时。本检查器会计入时差，其他 Consumer 未必如此。',
  'problem.clock-skew':
    '设备时钟与本机相差 {offsetMs} 毫秒（± {uncertaintyMs} 毫秒）。截止时间按设备时间发送；不了解此时差的 Consumer 在 {timeoutMs} 毫秒的等待下会因此出错。',
  'problem.clock-skew-as-typed':
    '设备时钟与本机相差 {offsetMs} 毫秒（± {uncertaintyMs} 毫秒），Provider 以自己的时钟比较截止时间。截止时间按输入原样发送。',
  'problem.deadline-in-past': '按设备时钟，输入的截止时间已过。',
  'remedy.deadline-in-past': '请输入更晚的时间，或强制发送：Provider 必须应答 DEADLINE_EXCEEDED 且不得执行（v2 4.1）。',
  'uiClock.title': '时钟',
  'uiClock.ahead': '比本机快 {offset}',
  'uiClock.behind': '比本机慢 {offset}',
  'uiClock.equal': '在可测量范围内与本机一致',
  'uiClock.within': '± {uncertainty}，测量于 {time}',
  'uiClock.unknown': '未测量：伴侣应用连接后才能告知',
  'uiClock.skew': '截止时间和有效期均按设备时间发送和解读。不计入时差的 Consumer 可能会失败。',
  'uiClock.deadlineIn': '设备时间，与本机相差 {offset}',
  'uiClock.deadlineOwn': '本机时间；未测量设备时钟',
};
