/// The rules at the start of every page.
enum BaseStyle {
    static let css = """
        :root{color-scheme:light dark}
        *{box-sizing:border-box}
        body{margin:0;background:light-dark(#f2f2f7,#000);color:light-dark(#000,#fff);\
        font:400 1.0625rem/1.3 system-ui,-apple-system,"Inter","Noto Sans",sans-serif;\
        -webkit-text-size-adjust:100%}
        main{margin:0 auto;min-height:1px}
        .b{display:grid;grid-template:minmax(0,auto)/minmax(0,auto);place-items:center;min-width:0}
        .v,.h{display:flex;gap:8px;align-items:center;min-width:0}
        .v{flex-direction:column}
        .v>*{max-width:100%}
        .h>*{min-width:0}
        .z{display:grid;grid-template:minmax(0,auto)/minmax(0,auto);place-items:center;min-width:0}
        .z>*{grid-area:1/1;min-width:0;max-width:100%}
        .o{position:relative;isolation:isolate}
        .l{position:absolute;inset:0;display:grid;place-items:center;\
        grid-template:minmax(0,100%)/minmax(0,100%)}
        .t{overflow-wrap:break-word;white-space:pre-line;min-width:0;margin:0}
        .n{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
        svg{display:block;overflow:visible}
        button,input,select,textarea,summary{font:inherit;color:inherit;margin:0;background:none;border:0;\
        padding:0;text-align:inherit;opacity:1}
        hr{border:0;margin:0;background:light-dark(rgba(60,60,67,.29),rgba(84,84,88,.6))}
        ul,li{list-style:none;margin:0;padding:0}
        h1,h2,h3{font-size:inherit;font-weight:inherit;margin:0}
        a{text-decoration:none}
        .ts{display:flex;flex-direction:column;width:100%;position:relative}
        .ts{min-height:100%}
        .tp{display:none;flex:1 1 auto}
        .tb{display:flex;position:sticky;bottom:0;padding:7px 4px 9px;gap:4px;\
        background:light-dark(rgba(249,249,249,.94),rgba(22,22,22,.94));\
        border-top:1px solid light-dark(rgba(60,60,67,.22),rgba(84,84,88,.6))}
        .tb>label{flex:1 1 0;display:grid;place-items:center;text-align:center;cursor:pointer;\
        color:light-dark(#6b6b70,#98989f)}
        .ts>input:nth-of-type(1):checked~.tp:nth-of-type(1){display:grid}
        .ts>input:nth-of-type(1):checked~.tb>label:nth-of-type(1){color:light-dark(#0068da,#0a84ff)}
        .ts>input:nth-of-type(2):checked~.tp:nth-of-type(2){display:grid}
        .ts>input:nth-of-type(2):checked~.tb>label:nth-of-type(2){color:light-dark(#0068da,#0a84ff)}
        .ts>input:nth-of-type(3):checked~.tp:nth-of-type(3){display:grid}
        .ts>input:nth-of-type(3):checked~.tb>label:nth-of-type(3){color:light-dark(#0068da,#0a84ff)}
        .ts>input:nth-of-type(4):checked~.tp:nth-of-type(4){display:grid}
        .ts>input:nth-of-type(4):checked~.tb>label:nth-of-type(4){color:light-dark(#0068da,#0a84ff)}
        .ts>input:nth-of-type(5):checked~.tp:nth-of-type(5){display:grid}
        .ts>input:nth-of-type(5):checked~.tb>label:nth-of-type(5){color:light-dark(#0068da,#0a84ff)}
        .ts>input:nth-of-type(6):checked~.tp:nth-of-type(6){display:grid}
        .ts>input:nth-of-type(6):checked~.tb>label:nth-of-type(6){color:light-dark(#0068da,#0a84ff)}
        .ts>input:nth-of-type(7):checked~.tp:nth-of-type(7){display:grid}
        .ts>input:nth-of-type(7):checked~.tb>label:nth-of-type(7){color:light-dark(#0068da,#0a84ff)}
        .ts>input:nth-of-type(8):checked~.tp:nth-of-type(8){display:grid}
        .ts>input:nth-of-type(8):checked~.tb>label:nth-of-type(8){color:light-dark(#0068da,#0a84ff)}
        """
}
