import type { doctor as en } from '../en/doctor.ts';
import type { Translation } from '../translation.ts';

export const doctor: Translation<typeof en> = {
  'doctorCheck.adb-binary': 'adb 程序',
  'doctorCheck.adb-server': 'adb 服务器',
  'doctorCheck.device': '设备',
  'doctorCheck.authorization': '授权',
  'doctorCheck.user': '用户',
  'doctorCheck.companion': '伴侣应用',
  'doctorCheck.permission': '调用 Provider 的权限',
  'doctorCheck.discovery': '发现 Provider',

  'doctorStatus.running': '检查中',
  'doctorStatus.ok': '正常',
  'doctorStatus.warning': '可用但受限',
  'doctorStatus.failed': '失败',
  'doctorStatus.skipped': '未检查',
  'doctor.running': '正在检查。',
  'doctor.skipped': '未检查，因为前面的检查没有通过：{after}。',

  'doctor.adb-binary.running': '正在查找 adb。',
  'doctor.adb-binary.found': '{path}，版本 {version}，通过 {source} 找到。',
  'doctor.adb-binary.not-needed-demo': '演示设备不需要 adb。',
  'doctor.adb-binary.not-needed-remote': '设备在服务器 {server} 上；这台电脑不需要 adb。',
  'doctor.adb-binary.missing-but-running': '这台电脑上没有可用的 adb，但有服务器在运行。它一旦结束，便无法从这里启动。',
  'doctor.adb-binary.failed': '没有可用的 adb。',

  'doctor.adb-server.running': '正在询问 adb 服务器。',
  'doctor.adb-server.up': '在 {host}:{port} 有回应，协议版本 {version}。',
  'doctor.adb-server.demo': '演示自带的服务器在 {host}:{port} 有回应。',
  'doctor.adb-server.old': '在 {host}:{port} 有回应，协议版本 {version}，早于 39。',
  'doctor.adb-server.mismatch':
    '在 {host}:{port} 有回应，协议版本 {version}，但 adb 程序期望 {binary}。检查器可以使用它；但在终端中运行 adb 会结束这个服务器。',
  'doctor.adb-server.none': '没有正在监视的 adb 服务器。',
  'doctor.adb-server.not-answering': '{host}:{port} 尚无回应。',
  'doctor.adb-server.failed': 'adb 服务器无法使用。',

  'doctor.device.running': '正在查找设备。',
  'doctor.device.found': '{model}，Android {release}，序列号 {serial}。',
  'doctor.device.listed': 'adb 服务器列出了 {serial}。',
  'doctor.device.several': '有 {count} 台设备就绪；检查的是 {model}（{serial}）。',
  'doctor.device.none': '没有设备。',
  'doctor.device.gone': '没有设备 {device}。',
  'doctor.device.failed': '无法读取设备。',

  'doctor.authorization.running': '正在检查设备的状态。',
  'doctor.authorization.authorized': '{serial} 已授权这台电脑并已就绪。',
  'doctor.authorization.not-ready': '{serial} 未就绪；其状态为 {state}。',
  'doctor.authorization.failed': '无法读取设备的状态。',

  'doctor.user.running': '正在读取用户。',
  'doctor.user.current': '用户 {id}，{name}。',
  'doctor.user.several':
    '用户 {id}，{name}，共 {count} 个。其他用户或工作资料中的 Provider 只有在选择该用户后才能看到。',
  'doctor.user.unreadable': '无法读取用户；以当前用户为准。',
  'doctor.user.failed': '无法读取用户。',

  'doctor.companion.running': '正在询问伴侣应用。',
  'doctor.companion.connected': '版本 {version}，已连接。',
  'doctor.companion.installed': '已安装版本 {version}；需要时会启动。',
  'doctor.companion.not-installed': '未安装。只能通过 shell 使用受限模式。',
  'doctor.companion.unknown': '其状态未知。',
  'doctor.companion.failed': '无法联系伴侣应用。',

  'doctor.permission.running': '正在检查授予情况。',
  'doctor.permission.granted': '伴侣应用持有 com.clawseed.permission.ACCESS_TOOLS。',
  'doctor.permission.denied': '伴侣应用未持有 com.clawseed.permission.ACCESS_TOOLS。',
  'doctor.permission.undefined': '没有已安装的应用定义 com.clawseed.permission.ACCESS_TOOLS。',
  'doctor.permission.unknown': '不知道伴侣应用是否持有该权限。',
  'doctor.permission.failed': '无法检查授予情况。',

  'doctor.discovery.running': '正在查找 Provider。',
  'doctor.discovery.found': '通过 {origin} 找到 {count} 个。',
  'doctor.discovery.none': '通过 {origin} 的查找成功，但没有应用声明 Provider。',
  'doctor.discovery.partly': '通过 {origin} 找到 {count} 个；{unreadable} 个无法读取。',
  'doctor.discovery.not-ended': '查找没有结束。',
  'doctor.discovery.failed': '查找失败。',

  'problem.doctor-timeout': '检查“{what}”在 {ms} 毫秒内没有结束。',
  'remedy.doctor-timeout': '设备可能正忙或在休眠。请解锁后重新运行诊断。',
  'remedy.doctor-no-server': '请添加一个 adb 服务器，或不带排除本机服务器的选项启动。',
  'remedy.doctor-old-server': '请更新 Android 平台工具。旧服务器仍会尽量使用，但可能缺少状态和功能。',
  'remedy.doctor-mismatch': '请统一使用一套平台工具：将较新的放在 PATH 最前面，或将 ADB 指向它。',
  'remedy.doctor-no-device':
    '请插上已打开 USB 调试的手机（设置、关于手机，连点“版本号”七次，然后进入开发者选项），或通过网络连接手机，或启动演示设备。',
  'remedy.doctor-choose-device': '请在列表中选择设备，或在终端中使用 -s SERIAL。',
  'remedy.doctor-install-companion': '请在设备页面安装伴侣应用。它会像真正的 Consumer 一样调用 Provider。',
  'remedy.doctor-reinstall-companion':
    '请在设备页面重新安装伴侣应用。Android 只把该权限授予在定义它的应用之后安装的应用。',
  'remedy.doctor-permission-undefined':
    '应由 Provider 的应用声明该权限。请先安装 Provider 的应用，再重新安装伴侣应用。',
  'remedy.doctor-permission-unknown': '请在伴侣应用连接后重新运行诊断。',
  'remedy.doctor-no-provider':
    '请为所示用户安装带有 Provider 的应用。其 Service 必须声明操作 com.clawseed.action.TOOL_PROVIDER。',
  'remedy.doctor-unreadable': '下面是每一个无法读取的原因。其余均完整。',
  'remedy.doctor-try-again': '请重新运行诊断。',
};
