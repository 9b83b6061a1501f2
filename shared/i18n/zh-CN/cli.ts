import type { cli as en } from '../en/cli.ts';
import type { Translation } from '../translation.ts';

export const cli: Translation<typeof en> = {
  'cli.help': `cetp：查看一个 Android 应用向智能体提供了什么，并调用它。

  cetp devices                          所有被监视的 adb 服务器上的设备
  cetp providers                        设备上的 Provider
  cetp tools PROVIDER                   某个 Provider 的工具
  cetp call PROVIDER TOOL [--args A]    调用工具，并以 JSON 输出其值
  cetp operations [PROVIDER]            未结束的后台操作，以及本次运行的操作
  cetp operation get|cancel ID          查询一次状态，或请求取消
  cetp session show|negotiate|drop PROVIDER
                                        协商记录及其结束原因；重新协商；忘记会话
  cetp history [--search 文本]          日志中记录的交互
  cetp history --follow                 每个事件一行 JSON，直到 Ctrl+C
  cetp doctor                           逐步检查整条链路
  cetp companion install|status|uninstall
                                        安装、查看或移除伴侣应用
  cetp run FOLDER|FILE…                 运行已保存的调用并检查其期望
  cetp serve [--port N] [--open]        在 127.0.0.1 上向浏览器提供本应用

PROVIDER 是 provider_id 或 authority。

  --demo             加入内置演示设备（不需要 adb 和 Android）
  --demo-answer A    演示手机询问时由谁作答：approve（批准）、deny（拒绝）或
                     close（关闭而不作决定）；不加则手机前没有人
  -s, --serial S     设备
  --user N           Android 用户；不写则为当前用户
  --adb HOST:PORT    adb 服务器；不写则按环境变量
  --args A           参数：JSON，或 @文件、-（标准输入）中的原样内容；不写则为 {}
  --out FILE         将返回值或收到的文件写入 FILE（加 --force 可覆盖已有文件）
  --yes              运行可能产生改动的工具
  --force            发送被我们自身校验拒绝的内容
  --timeout MS       等待应答的时间（30000）
  --request-id UUID  要发送的 request_id
  --wait             跟踪被接受的操作直到结束，进度输出到 stderr
  --detach           打印接受结果后离开（与不带 --wait 相同）
  --versions LIST    协商时提议的版本，例如 2 或 2,1
  --capabilities LIST
                     同上，为能力；空 LIST 表示不提议任何能力
  --deadline TIME    v2 的截止时间，按原样发送：带时区的时刻（2026-09-02T12:00:00Z）
                     或 epoch 毫秒；否则为设备时钟的当前时间加 --timeout
  --retry N          在 Provider 的错误允许时，按其要求的等待时间，
                     以相同的 request_id 再次发送，最多 5 次
  --env NAME         run：文件夹中的环境
  --var NAME=VALUE   run：变量，优先于环境中的值；可重复
  --junit FILE       run：将结果写为 JUnit XML
  --bail             run：在第一个未通过的调用处结束
  --resume           Provider 请求用户处理时，在设备上打开其界面，等待，
                     然后恢复调用（v2 4.3）
  --break NAME       故意违反一条规则，并在历史中标明；可重复：
                     expired-deadline、no-token、wrong-token、
                     stale-session、no-protocol-version、unknown-method、
                     wrong-types、oversized、unnegotiated-capability；与
                     --resume 一起：changed-args-on-resume、resume-token-twice
  --times N          同样的字节同时发送 N 份，最多 50；退出码取第一份的
  --limit N          历史行数（50）
  --json             标准输出上只有一个 JSON 文档
  --journal FILE     日志文件；不写则用应用自己的
  --connect URL      使用正在运行的 "cetp serve" 或应用
  --version, --help

退出码：0 完成，1 用法错误，2 被我们自身校验拒绝，3 需要授权或确认，或被拒绝，
4 设备或 Provider 无法到达，5 Provider 返回错误，6 超时或超过期限，7 已取消，8 一致性失败。`,
  'cli.waitsForPerson': 'Provider 请求用户处理；已在设备上打开其界面。',
  'cli.personAnswered': '界面已关闭，结果为 {code}；正在恢复调用。',
  'cli.resumeHint': '如果应答附带了界面，--resume 会在设备上打开它，等待用户处理，然后恢复调用。',
  'cli.outNotYet': '没有向 {file} 写入任何内容：还没有结果。--wait 会跟进该操作直至结束。',
  'cli.unknownCommand': '没有命令 "{command}"。',
  'cli.needsProvider': '哪个 Provider？cetp tools PROVIDER',
  'cli.needsProviderAndTool': '哪个工具？cetp call PROVIDER TOOL --args JSON',
  'cli.severalDevices': '有多台设备可用；请用 -s 选择：{list}',
  'cli.severalProviders': '有多个 Provider 与 "{name}" 匹配；请用 authority 或键指定：{list}',
  'cli.noDevices': '没有设备。请连接已开启 USB 调试的设备，或加 --demo。',
  'cli.noProviders': '此设备上没有应用声明 action com.clawseed.action.TOOL_PROVIDER。',
  'cli.unreadable': '无法读取 {package}：',
  'cli.noHistory': '日志为空。',
  'cli.noHistoryMatch': '日志中没有匹配项。',
  'cli.moreHistory': '显示 {shown} / {total}；用 --limit 显示更多。',
  'cli.v1NoAnnotations': 'CETP v1：工具不带注解；按定义只读。',
  'cli.argsInvalid': '参数不符合输入 schema：',
  'cli.needsYes':
    '未发送："{tool}" 未被声明为单纯的读取（effect=read 且非 destructive），可能产生改动。加 --yes 才会运行。',
  'cli.forceHint': '未发送。加 --force 仍然发送。',
  'cli.outputInvalid': '返回值不符合输出 schema：',
  'cli.valueCut': '返回值长 {length} 个字符；下面只有开头部分。',
  'cli.accepted': 'Provider 已将调用受理为一个操作。',
  'cli.providerError': 'Provider 返回 {code}：{message}',
  'cli.notBuilt': '界面尚未构建。请先运行 "npm run build"。',
  'cli.serving': '请在本机浏览器中打开上面的地址。Ctrl+C 停止。',
  'cli.serial': '序列号',
  'cli.state': '状态',
  'cli.model': '型号',
  'cli.server': '服务器',
  'cli.authority': 'authority',
  'cli.label': '名称',
  'cli.protocol': '协议',
  'cli.bridge': '通道',
  'cli.findings': '问题',
  'cli.tool': '工具',
  'cli.effect': 'effect',
  'cli.risk': 'risk',
  'cli.confirmation': 'confirmation',
  'cli.description': '描述',
  'cli.time': '时间',
  'cli.provider': 'Provider',
  'cli.method': '方法',
  'cli.end': '结果',
  'problem.no-device': '没有可用的设备。看到的设备：{seen}',
  'remedy.no-device': '请连接已开启 USB 调试的设备，运行 "cetp doctor"，或加 --demo。',
  'problem.no-such-device': '没有设备 "{serial}"。',
  'remedy.no-such-device': '"cetp devices" 列出所有设备。',
  'problem.no-such-provider': '此设备上没有 provider_id 或 authority 为 "{name}" 的 Provider。',
  'remedy.no-such-provider': '"cetp providers" 列出所有 Provider。',
  'problem.discovery-timeout': '查找 Provider 用时过长。',
  'remedy.discovery-timeout': '请运行 "cetp doctor"，然后重试。',
  'problem.host-unreachable': '{address} 没有应答，或拒绝了令牌。',
  'remedy.host-unreachable': '请复制 "cetp serve" 打印的完整地址（含令牌）。',
  'cli.noCommand': '要执行哪个命令？',
  'cli.outputLost': '结果未能写出：{reason}',
  'cli.notUtf8': '不是 UTF-8；没有发送任何内容',
  'cli.replacedBytes': '参数中含有 U+FFFD。如果命令行里原本是其他字节，请用 --args @FILE 或 -，它们会拒绝这样的内容。',
  'problem.usage': '命令行有误：{detail}',
  'remedy.usage': '"cetp --help" 列出全部用法。',
  'problem.port-unusable': '无法使用 127.0.0.1 的端口 {port}。',
  'remedy.port-unusable': '用 --port 换一个端口，或不指定端口。',
  'problem.host-lost': '{address} 的主机在给出结果之前就结束了。',
  'remedy.host-lost': '已发出的调用可能仍会生效；该主机的历史记录会显示发送了什么。',
  'problem.server-silent': '{address} 的 adb 服务器接受了连接，但没有应答。',
  'remedy.server-silent': '请确认那里运行的是 adb 服务器，或将其重启。',
};
