            .include "../../../../programs/pics.pasm"
