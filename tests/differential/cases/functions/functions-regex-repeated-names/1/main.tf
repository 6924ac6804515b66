output "o" {
  value = {
    "00" = regex("(?P<a>x)(?P<a>y)", "xy")
    "01" = regexall("(?P<a>x)(?P<a>y)", "xyxy")
    "02" = regex("(?P<a>x)(?P<a_>z)?(?P<a>y)", "xy")
    "03" = regex("[(?P<a>](?P<a>y)\\((?P<b>.)\\Q(?P<a>\\E(?P<a>.)", "<y(z(?P<a>w")
    "04" = regex("[]a](?P<a>y)[[:alpha:]](?P<a>z)", "]yxz")
    "05" = replace("xy", "/(?P<a>x)(?P<a>y)/", "$a-$a_-$${a}")
    "06" = replace("y", "/(?P<a>x)?(?P<a>y)/", "<$a>")
    "07" = replace("y", "/(?P<a>x)?(?P<b>y)/", "<$a$b$01$0$1$2$3$constructor$toString>")
    "08" = replace("y", "/(y)/", "<$1x $01 $${1}x $${constructor}>")
    "09" = regex("(?P<constructor>y)", "y")
    "10" = regex("(?P<__proto__>y)", "y")
    "11" = regex("(?P<a>x)|(?P<a>y)", "x")
  }
}
