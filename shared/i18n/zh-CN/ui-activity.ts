export const uiActivity = {
  'uiActivity.title': '等待中',
  'uiActivity.heading': '等待中',
  'uiActivity.person': '等待用户处理',
  'uiActivity.personHelp': '在有人于设备上作出决定之前，Provider 不会执行的调用：授权与确认。',
  'uiActivity.stale': '列表可能不是最新',
  'uiActivity.personNone': '没有调用在等待用户处理。',
  'uiActivity.personEnded': '本次运行中已结束：{count}',
  'uiActivity.waitsFor': '已等待 {time}',
} as const;
