export const uiActivity = {
  'uiActivity.title': '等待中',
  'uiActivity.heading': '谁在等谁',
  'uiActivity.person': '等待用户处理',
  'uiActivity.personHelp': '在有人于设备上作出决定之前，Provider 不会执行的调用：授权与确认。',
} as const;
